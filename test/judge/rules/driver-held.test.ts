import { expect } from 'vitest'
import { driverHeld } from '../../../src/judge/rules/driver-held.ts'
import { NO_DRIVER, QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const card = (slot: string, driver: string | null) => ({
  slot,
  vendor: '0x10de',
  device: '0x2230',
  class: '0x030000',
  driver,
})
const HELD = card('0000:41:00.0', 'vfio-pci')
const OURS = card('0000:01:00.0', 'nvidia')
const says = (words: string) => expect.stringContaining(words)
const KEPT = { code: 'driver.vfio-bound', verdict: 'misconfigured', confidence: 'certain' } as const

ruleTable(driverHeld, {
  speaks: {
    'the tool finds nobody': [
      ran('nvidia-smi', NO_DRIVER, { rc: 9, pci: [HELD] }),
      { ...KEPT, cause: says('0000:41:00.0'), explains: expect.arrayContaining(['driver.not-loaded']) },
    ],
    'whoever has it is stopped before it is taken': [
      ran('nvidia-smi', NO_DRIVER, { rc: 9, pci: [HELD] }),
      {
        remedy: expect.arrayContaining([
          expect.stringMatching(/^Once no machine uses it.*first stop the machine.*unbind/),
        ]),
      },
    ],
    'the tool finds no card': [ran('nvidia-smi', 'No devices were found\n', { rc: 6, pci: [HELD] }), KEPT],
    'lspci alone, and none is ours': [ran('lspci -nnk', '', { pci: [HELD] }), KEPT],
    'one is missed': [ran(QUERY, rows(WELL), { pci: [OURS, HELD], told: ['expected_gpus: 2'] }), KEPT],
    'the kernel says so': [
      ran('nvidia-smi', NO_DRIVER, { rc: 9, kernel: ['NVRM: GPU 0000:41:00.0 is already bound to vfio-pci.'] }),
      KEPT,
    ],
    'kept by Xen': [
      ran('nvidia-smi', NO_DRIVER, { rc: 9, pci: [card('0000:41:00.0', 'xen-pciback')] }),
      { ...KEPT, cause: says('xen-pciback') },
    ],
  },
  silent: {
    'one for us, one for a guest': ran(QUERY, rows(WELL), { pci: [OURS, HELD] }),
    'as many as expected': ran(QUERY, rows(WELL), { pci: [OURS, HELD], told: ['expected_gpus: 1'] }),
    'all ours': ran(QUERY, rows(WELL), { pci: [OURS] }),
    nouveau: ran('nvidia-smi', NO_DRIVER, { rc: 9, pci: [card('0000:41:00.0', 'nouveau')] }),
    nobody: ran('nvidia-smi', NO_DRIVER, { rc: 9, pci: [card('0000:41:00.0', null)] }),
    'in a container': ran('nvidia-smi', NO_DRIVER, { rc: 9, pci: [HELD], place: 'container' }),
    'nothing of the bus': ran('nvidia-smi', NO_DRIVER, { rc: 9 }),
  },
})
