import { expect } from 'vitest'
import { gpuMemoryRows } from '../../../src/judge/rules/gpu-memory-rows.ts'
import { QUERY, ran, rows, WELL, xid } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const FIELDS =
  'nvidia-smi --query-gpu=index,remapped_rows.uncorrectable,remapped_rows.pending,remapped_rows.failure --format=csv,noheader'
const report = (pending: string, failure: string) =>
  ran(
    'nvidia-smi -q -d ROW_REMAPPER',
    `GPU 00000000:81:00.0\n    Remapped Rows\n        Correctable Error                 : 0\n        Uncorrectable Error               : 1\n        Pending                           : ${pending}\n        Remapping Failure Occurred        : ${failure}\n`,
  )
const says = (words: string) => expect.stringContaining(words)

ruleTable(gpuMemoryRows, {
  speaks: {
    'a row that waits': [
      ran(FIELDS, '0, 0, No, No\n1, 1, Yes, No\n'),
      {
        code: 'gpu.remap-pending',
        verdict: 'degraded',
        cause: says('GPU 1'),
        because: ['GPU 1: “remapped_rows.pending” is “Yes”'],
        remedy: expect.arrayContaining([says('--gpu-reset -i 1 ')]),
      },
    ],
    'a row that waits, in figures': [ran(FIELDS, '0, 1, 1, 0\n'), { code: 'gpu.remap-pending' }],
    'a report': [report('Yes', 'No'), { code: 'gpu.remap-pending' }],
    'a failure': [report('No', 'Yes'), { code: 'gpu.remap-failed', verdict: 'hardware-fault' }],
    'a failure before what waits': [report('Yes', 'Yes'), { code: 'gpu.remap-failed' }],
    'pages of an older card': [
      ran('nvidia-smi --query-gpu=index,retired_pages.pending --format=csv,noheader', '0, Yes\n'),
      { code: 'gpu.remap-pending' },
    ],
    'pages of AMD': [
      ran('dmesg', 'amdgpu 0000:03:00.0: amdgpu: RAS records:301 exceed bad page threshold:300\n'),
      { code: 'gpu.remap-failed' },
    ],
  },
  silent: {
    'rows that were replaced': ran(FIELDS, '0, 2, No, No\n'),
    none: ran(FIELDS, '0, 0, 0, 0\n'),
    'an older card': ran(FIELDS, '0, [N/A], [N/A], [N/A]\n'),
    'a report without': report('No', 'No'),
    'its Xid is another rule’s': ran('dmesg', `${xid(63)}\n`),
    'its Xid of a failure too': ran('dmesg', `${xid(64)}\n`),
    readings: ran(QUERY, rows(WELL)),
    'a job that waits': ran(QUERY, rows(WELL), { told: ['pending_jobs: 3'] }),
  },
})
