import { expect } from 'vitest'
import { gpuCount } from '../../../src/judge/rules/gpu-count.ts'
import { QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const card = (slot: string, driver: string | null) => ({
  slot,
  vendor: '0x10de',
  device: '0x2230',
  class: '0x030000',
  driver,
})
const two = { pci: [card('0000:01:00.0', 'nvidia'), card('0000:41:00.0', 'nvidia')] }
const says = (words: string) => expect.stringContaining(words)
const MISSING = { code: 'gpu.count-mismatch', verdict: 'inconclusive' } as const

ruleTable(gpuCount, {
  speaks: {
    'fewer than told': [
      ran(QUERY, rows(WELL), { told: ['expected_gpus: 2'] }),
      {
        ...MISSING,
        confidence: 'certain',
        cause: says('2 GPUs should be there and 1 is listed'),
        missing: [says('lspci'), says('dmesg')],
      },
    ],
    'none of those told, and not a word': [ran('nvidia-smi -L', '', { told: ['expected_gpus: 2'] }), MISSING],
    'fewer than on the bus': [ran(QUERY, rows(WELL), two), { ...MISSING, confidence: 'likely' }],
    'a number is left out': [
      ran(QUERY, `${rows(WELL)}2, NVIDIA RTX A6000, ${WELL}\n`),
      { ...MISSING, because: [says('0, 2'), says('2 GPUs')] },
    ],
  },
  silent: {
    'as many as told': ran(QUERY, rows(WELL, WELL), { told: ['expected_gpus: 2'] }),
    'more than told': ran(QUERY, rows(WELL, WELL), { told: ['expected_gpus: 1'] }),
    'as many as on the bus': ran(QUERY, rows(WELL, WELL), two),
    'a container gets only some': ran(QUERY, rows(WELL), { ...two, place: 'container' }),
    'one is kept for a guest': ran(QUERY, rows(WELL), {
      pci: [card('0000:01:00.0', 'nvidia'), card('0000:41:00.0', 'vfio-pci')],
    }),
    'some were asked for': ran(`${QUERY} -i 0,2`, `${rows(WELL)}2, NVIDIA RTX A6000, ${WELL}\n`),
    'the tool failed': ran('nvidia-smi', 'No devices were found\n', { rc: 6, told: ['expected_gpus: 2'] }),
    'another expectation': ran(QUERY, rows(WELL), { told: ['expected_driver: 580'] }),
    'nobody expects anything': ran(QUERY, rows(WELL)),
  },
})
