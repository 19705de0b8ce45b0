import { expect } from 'vitest'
import { driverAbsent } from '../../../src/judge/rules/driver-absent.ts'
import { NO_DRIVER, QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const card = (driver: string | null) => [
  { slot: '0000:01:00.0', vendor: '0x10de', device: '0x2230', class: '0x030000', driver },
]
const none = (more: Parameters<typeof ran>[2] = {}) => ran('nvidia-smi', NO_DRIVER, { rc: 9, ...more })
const says = (words: string) => expect.stringContaining(words)
const ABSENT = { code: 'driver.not-loaded', verdict: 'misconfigured' } as const
const LOADING = { code: 'driver.still-loading', verdict: 'not-ready' } as const

ruleTable(driverAbsent, {
  speaks: {
    'nobody answers': [
      none(),
      { ...ABSENT, confidence: 'likely', remedy: expect.arrayContaining([says('modprobe nvidia')]) },
    ],
    'a status and no word': [ran('nvidia-smi', '', { rc: 9 }), ABSENT],
    'nvtop sees no card': [ran('nvtop', 'No GPU to monitor.\n'), ABSENT],
    'no library': [
      ran('nvidia-smi', "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.\n", { rc: 12 }),
      { ...ABSENT, cause: says('libnvidia-ml') },
    ],
    'NVML says so': [ran('nvidia-smi', 'Failed to initialize NVML: Driver Not Loaded\n', { rc: 9 }), ABSENT],
    unsigned: [none({ kernel: ['Loading of module with unavailable key is rejected'] }), ABSENT],
    'Secure Boot': [
      ran('modprobe nvidia', '', {
        rc: 1,
        stderr: "modprobe: ERROR: could not insert 'nvidia': Key was rejected by service",
      }),
      {
        ...ABSENT,
        confidence: 'certain',
        cause: says('Secure Boot'),
        remedy: expect.arrayContaining([says('mokutil')]),
      },
    ],
    'a new kernel': [
      ran('modprobe nvidia', '', {
        rc: 1,
        stderr: 'modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.8.0-51-generic',
      }),
      { ...ABSENT, cause: says('upgrade of the kernel'), remedy: expect.arrayContaining([says('dkms')]) },
    ],
    'nouveau was first': [
      none({ pci: card('nouveau') }),
      { ...ABSENT, cause: says('nouveau'), remedy: expect.arrayContaining([says('blacklist')]) },
    ],
    'nouveau, by the kernel': [
      none({ kernel: ['NVRM: The NVIDIA probe routine was not called for 1 device(s).'] }),
      { ...ABSENT, cause: says('another driver') },
    ],
    'nobody has the card': [ran('lspci -nnk', '', { pci: card(null) }), ABSENT],
    AMD: [
      ran('rocm-smi', '', { rc: 1, stderr: 'ERROR:root:Driver not initialized (amdgpu not found in modules)' }),
      { ...ABSENT, remedy: expect.arrayContaining([says('modprobe amdgpu')]) },
    ],
    'no module': [ran('lsmod | grep nvidia', '', { rc: 1 }), ABSENT],
    'just started': [
      none({ told: ['uptime_s: 35'] }),
      { ...LOADING, because: [says('NVIDIA-SMI has failed'), says('uptime_s')] },
    ],
    'just started, in minutes': [none({ told: ['uptime: up 2 min'] }), LOADING],
    'the module is built': [none({ told: ['dkms: nvidia/580.95.05, 6.8.0-51: building'] }), LOADING],
    'up for days': [none({ told: ['uptime_s: 864000'] }), ABSENT],
    'up for hours': [none({ told: ['uptime: up 3 days, 2:01'] }), ABSENT],
  },
  silent: {
    'a module': ran('lsmod | grep nvidia', 'nvidia 56823808 10 nvidia_uvm\n'),
    cards: ran(QUERY, rows(WELL), { told: ['uptime_s: 35'] }),
    'in a container': none({ place: 'container' }),
    'under Windows': none({ told: ['kernel: 6.6.87.2-microsoft-standard-WSL2'] }),
    'kept for a guest': none({ pci: card('vfio-pci') }),
    'kept for a guest, by the kernel': none({ kernel: ['NVRM: GPU 0000:01:00.0 is already bound to vfio-pci.'] }),
    'it does not start': none({ kernel: ['NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x26:0x56:1474)'] }),
    'other versions': ran('nvidia-smi', 'Failed to initialize NVML: Driver/library version mismatch\n', { rc: 18 }),
    'no devices': ran('nvidia-smi', 'No devices were found\n', { rc: 6 }),
    'unknown error': ran('nvidia-smi', 'Failed to initialize NVML: Unknown Error\n', { rc: 255 }),
    'no tool': ran('nvidia-smi', '', { rc: 127, stderr: 'nvidia-smi: command not found' }),
    'the card has its driver': ran('lspci -nnk', '', { pci: card('nvidia') }),
    'timed out': ran('nvidia-smi', '', { rc: null, timedOut: true }),
    lost: ran('nvidia-smi', '', { rc: 15 }),
    'nobody has another card': ran('lspci -nnk', '', {
      pci: [{ ...(card(null)[0] ?? { slot: '', device: '', class: '', driver: null }), vendor: '0x1a03' }],
    }),
    'one card of two': ran('lspci -nnk', '', { pci: [...card('nvidia'), ...card(null)] }),
    'no processes': ran('nvidia-smi --query-compute-apps=pid --format=csv,noheader', ''),
    'a taint': ran('dmesg', 'nvidia: module license taints kernel.\n'),
  },
})
