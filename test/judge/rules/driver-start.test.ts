import { expect } from 'vitest'
import { driverStart } from '../../../src/judge/rules/driver-start.ts'
import { NO_DRIVER, QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const none = (...kernel: readonly string[]) => ran('nvidia-smi', 'No devices were found\n', { rc: 6, kernel })
const says = (words: string) => expect.stringContaining(words)
const FAILED = { code: 'driver.init-failed', verdict: 'misconfigured' } as const
const card = (driver: string) => ({
  slot: '0000:41:00.0',
  vendor: '0x10de',
  device: '0x2230',
  class: '0x030000',
  driver,
})

ruleTable(driverStart, {
  speaks: {
    'with a code': [
      none('NVRM: GPU 0000:07:00.0: RmInitAdapter failed! (0x62:0xffff:2327)'),
      { ...FAILED, confidence: 'certain', cause: says('(0x62:0xffff:2327)') },
    ],
    'without a word of the kernel': [
      none(),
      { ...FAILED, confidence: 'likely', missing: expect.arrayContaining([says('dmesg')]) },
    ],
    'the open flavour': [
      none('NVRM: installed in this system requires use of the NVIDIA open kernel modules.'),
      { ...FAILED, cause: says('open flavour'), remedy: expect.arrayContaining([says('-open')]) },
    ],
    'the closed flavour': [
      none(
        'NVRM: nvidia.ko because it: The NVIDIA GPU is not supported by open nvidia.ko because it does not include the required GPU System Processor (GSP).',
      ),
      { ...FAILED, cause: says('closed flavour') },
    ],
    'no address space': [
      none('NVRM: BAR1 is 0M @ 0x0 (PCI:0000:01:00.0)'),
      { ...FAILED, remedy: expect.arrayContaining([says('Above 4G')]) },
    ],
    'no power': [
      none('NVRM: GPU 0000:01:00.0: GPU does not have the necessary power cables connected.'),
      { ...FAILED, cause: says('power') },
    ],
    'its firmware': [none('NVRM: Cannot initialize GSP firmware RM'), { ...FAILED, cause: says('GSP') }],
    'a legacy card': [
      none(
        'NVRM: The NVIDIA GPU installed in this system is supported through the NVIDIA 470.xx Legacy drivers. Please',
      ),
      { ...FAILED, cause: says('older') },
    ],
    'one of two cards': [
      ran(QUERY, rows(WELL), { kernel: ['NVRM: GPU 0000:41:00.0: RmInitAdapter failed! (0x26:0x56:1474)'] }),
      { ...FAILED, cause: says('one of the cards') },
    ],
    AMD: [ran('rocm-smi', '', { rc: 1, kernel: ['amdgpu 0000:03:00.0: amdgpu: Fatal error during GPU init'] }), FAILED],
    'unknown, on a host': [
      ran('nvidia-smi', 'Failed to initialize NVML: Unknown Error\n', { rc: 255, place: 'host' }),
      { ...FAILED, confidence: 'likely' },
    ],
    'a card that is newer': [
      none('NVRM: installed in this system is not supported by the NVIDIA 535.183.01 driver release.'),
      { code: 'driver.too-old', verdict: 'misconfigured' },
    ],
  },
  silent: {
    cards: ran(QUERY, rows(WELL)),
    'no driver': ran('nvidia-smi', NO_DRIVER, { rc: 9 }),
    'in a container': ran('nvidia-smi', 'No devices were found\n', { rc: 6, place: 'container' }),
    'lost in a container': ran('nvidia-smi', 'Failed to initialize NVML: Unknown Error\n', {
      rc: 255,
      place: 'container',
    }),
    'under Windows': ran('nvidia-smi', 'Failed to initialize NVML: N/A\n', {
      rc: 1,
      told: ['kernel: microsoft-standard-WSL2'],
    }),
    'kept for a guest': ran('nvidia-smi', 'No devices were found\n', { rc: 6, pci: [card('vfio-pci')] }),
    'other versions': ran('nvidia-smi', 'Failed to initialize NVML: Driver/library version mismatch\n', { rc: 18 }),
    'a good start': ran('dmesg', 'NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  580.95.05\n'),
    'GSP is loaded': ran('dmesg', 'NVRM: GPU0 GSP firmware 580.95.05 is loaded\n'),
    'amdgpu starts': ran('dmesg', "amdgpu 0000:03:00.0: amdgpu: PSP runtime database doesn't exist\n"),
    'a card that was lost later': ran('dmesg', 'NVRM: GPU 0000:81:00.0: GPU has fallen off the bus.\n'),
    'no tool': ran('nvidia-smi', '', { rc: 127 }),
    'timed out': ran('nvidia-smi', '', { rc: null, timedOut: true }),
  },
})
