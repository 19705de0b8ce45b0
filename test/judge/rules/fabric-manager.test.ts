import { expect } from 'vitest'
import { fabricManager } from '../../../src/judge/rules/fabric-manager.ts'
import { QUERY, ran, rows, unitOf, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const fabric = (state: string, status: string) =>
  ran(
    'nvidia-smi -q -i 0',
    `GPU 00000000:1B:00.0\n    Product Name                          : NVIDIA H100 80GB HBM3\n    Fabric\n        State                             : ${state}\n        Status                            : ${status}\n`,
  )
const FABRIC = { code: 'driver.fabricmanager', verdict: 'misconfigured' } as const
const says = (words: string) => expect.stringContaining(words)

ruleTable(fabricManager, {
  speaks: {
    'not done': [fabric('In Progress', 'N/A'), { ...FABRIC, confidence: 'likely' }],
    'not begun': [fabric('Not Started', 'N/A'), FABRIC],
    'done, and failed': [fabric('Completed', 'Error'), FABRIC],
    'by a query': [ran('nvidia-smi --query-gpu=index,fabric.state --format=csv,noheader', '0, In Progress\n'), FABRIC],
    'another version': [
      ran(
        'systemctl status nvidia-fabricmanager',
        "fabric manager NVIDIA GPU driver interface version 570.124.06 don't match with driver version 570.133.20.\n",
        { rc: 3 },
      ),
      { ...FABRIC, confidence: 'certain', cause: says('another version') },
    ],
    'CUDA waits': [
      ran('python3 -c "import torch"', '', {
        rc: 1,
        stderr: 'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized',
      }),
      FABRIC,
    ],
    'its unit is down': [
      { ...ran(QUERY, rows(WELL)), unit: unitOf('failed', { id: 'nvidia-fabricmanager.service' }) },
      FABRIC,
    ],
  },
  silent: {
    done: fabric('Completed', 'Success'),
    'a card without': fabric('N/A', 'N/A'),
    'a card that cannot': fabric('Not Supported', 'Not Supported'),
    'its unit is up': { ...ran(QUERY, rows(WELL)), unit: unitOf('active', { id: 'nvidia-fabricmanager.service' }) },
    'another unit is down': { ...ran(QUERY, rows(WELL)), unit: unitOf('inactive') },
    'its version': ran('nv-fabricmanager -v', 'Fabric Manager version is : 580.95.05\n'),
    readings: ran(QUERY, rows(WELL)),
    'no driver': ran('nvidia-smi', '', { rc: 9 }),
  },
})
