import { expect } from 'vitest'
import { gpuState } from '../../../src/judge/rules/gpu-state.ts'
import { QUERY, ran, rows, WELL, xid } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const all = (cell: string) => Array.from({ length: 6 }, () => cell).join(', ')
const says = (words: string) => expect.stringContaining(words)
const smi = (words: string, rc = 255) => ran('nvidia-smi', `${words}\n`, { rc })
const action = (value: string) =>
  ran('nvidia-smi --query-gpu=index,gpu_recovery_action --format=csv,noheader', `0, None\n1, ${value}\n`)

const HUNG = 'amdgpu 0000:c2:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=166926, emitted seq=166928'
const HUNG_AND_BACK = [
  HUNG,
  'amdgpu 0000:c2:00.0: amdgpu: GPU reset begin!',
  'amdgpu 0000:c2:00.0: amdgpu: GPU reset(1) succeeded!',
]

ruleTable(gpuState, {
  speaks: {
    'lost, in the table': [
      ran(
        'nvidia-smi',
        [
          '| NVIDIA-SMI 570.86.10              Driver Version: 570.86.10      CUDA Version: 12.8     |',
          '|   0  NVIDIA A100-SXM4-80GB          On  |   00000000:07:00.0 Off |                    0 |',
          '| N/A   34C    P0             65W /  400W |   74127MiB /  81920MiB |      0%      Default |',
          '|   1  NVIDIA A100-SXM4-80GB          On  |   00000000:0B:00.0 Off |                 ERR! |',
          '| ERR!  ERR! ERR!           ERR! /  ERR!  |      GPU is lost       |      ERR!     ERR!   |',
          '',
        ].join('\n'),
      ),
      {
        code: 'gpu.off-bus',
        confidence: 'certain',
        cause: says('1 more of this host can be used'),
        because: ['GPU 1 (NVIDIA A100-SXM4-80GB): “GPU is lost”'],
      },
    ],
    'a handle': [
      smi('Unable to determine the device handle for GPU0000:81:00.0: Unknown Error'),
      { code: 'gpu.off-bus', verdict: 'hardware-fault', confidence: 'likely', cause: says('GPU 0000:81:00.0') },
    ],
    'a handle, of newer tools': [
      smi('Unable to determine the device handle for GPU3: 0000:5F:00.0: Unknown Error'),
      { code: 'gpu.off-bus', cause: says('GPU 3 (0000:5F:00.0)') },
    ],
    'lost, as it says': [
      smi(
        'Unable to determine the device handle for GPU 0000:02:00.0: GPU is lost.  Reboot the system to recover this GPU',
        15,
      ),
      { code: 'gpu.off-bus', confidence: 'certain' },
    ],
    'lost cells': [
      ran(QUERY, rows(WELL, all('[GPU is lost]'))),
      { code: 'gpu.off-bus', cause: says('1 more of this host can be used') },
    ],
    'a status and no word': [ran('nvidia-smi', '', { rc: 15 }), { code: 'gpu.off-bus', because: ['exit status 15'] }],
    'lspci reads ones': [
      ran(
        'lspci -nn',
        '02:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102GL [RTX A6000] [10de:2230] (rev ff)\n',
      ),
      { code: 'gpu.off-bus' },
    ],
    'the kernel, without a number': [
      ran('dmesg', 'NVRM: GPU 0000:81:00.0: GPU has fallen off the bus.\n'),
      { code: 'gpu.off-bus' },
    ],
    'GSP in the kernel': [
      ran('dmesg', 'NVRM: GPU6 _kgspIsHeartbeatTimedOut: Heartbeat timed out\n'),
      { code: 'gpu.gsp-timeout' },
    ],
    'cells that ask for it': [
      ran(QUERY, rows(all('[GPU requires reset]'), WELL)),
      { code: 'gpu.needs-reset', confidence: 'certain' },
    ],
    'nothing but errors': [
      ran(QUERY, rows(WELL, all('[Unknown Error]'))),
      { code: 'gpu.needs-reset', confidence: 'likely' },
    ],
    'errors in the table': [
      ran(
        'nvidia-smi',
        `|   1  NVIDIA A100-SXM4-80GB          On  | 00000000:81:00.0 Off |                    3 |
| N/A   33C    P0              64W / 400W |      0MiB / 81920MiB |      0%      Default |
`,
      ),
      {
        code: 'gpu.needs-reset',
        because: ['GPU 1 (NVIDIA A100-SXM4-80GB): “Volatile Uncorr. ECC” is “3”'],
        remedy: expect.arrayContaining([says('--gpu-reset -i 1 ')]),
      },
    ],
    'errors in a report': [
      ran(
        'nvidia-smi -q -d ECC',
        'GPU 00000000:81:00.0\n    ECC Errors\n        Volatile\n            SRAM Correctable                  : 0\n            DRAM Uncorrectable                : 2\n',
      ),
      {
        code: 'gpu.needs-reset',
        because: ['GPU 00000000:81:00.0, ECC Errors, Volatile: “DRAM Uncorrectable” is “2”'],
        remedy: expect.arrayContaining([says('--gpu-reset -i 00000000:81:00.0 ')]),
      },
    ],
    'an advice': [action('Reset'), { code: 'gpu.needs-reset', confidence: 'certain', cause: says('GPU 1') }],
    'an advice to reboot': [action('Reboot'), { code: 'gpu.needs-reset' }],
    'an advice that somebody told': [
      ran(QUERY, rows(WELL), { told: ['query_q: GPU Recovery Action                   : Drain and Reset'] }),
      { code: 'gpu.needs-reset' },
    ],
    'a reset that is required': [
      ran(
        'nvidia-smi -q',
        'GPU 00000000:81:00.0\n    GPU Reset Status\n        Reset Required                    : Yes\n        Drain and Reset Recommended       : No\n',
      ),
      { code: 'gpu.needs-reset', confidence: 'certain', cause: says('asks for a reset') },
    ],
    'errors of memory': [
      ran('nvidia-smi --query-gpu=index,ecc.errors.uncorrected.volatile.total --format=csv,noheader', '0, 3\n'),
      {
        code: 'gpu.needs-reset',
        confidence: 'likely',
        cause: says('3 uncorrectable errors'),
        because: ['GPU 0: “ecc.errors.uncorrected.volatile.total” is “3”'],
        remedy: expect.arrayContaining([says('nvidia-smi --gpu-reset -i 0 ')]),
      },
    ],
    UVM: [
      ran(
        'dmesg',
        'NVRM: nvGpuOpsReportFatalError: uvm encountered global fatal error 0x60, requiring os reboot to recover.\n',
      ),
      { code: 'gpu.needs-reset' },
    ],
    'an AMD card that hung again after a reset': [
      ran('dmesg', [...HUNG_AND_BACK, HUNG].join('\n')),
      { code: 'gpu.needs-reset', because: [says('ring gfx_0.0.0 timeout')] },
    ],
    'an AMD card whose reset failed': [
      ran('dmesg', [HUNG, 'amdgpu 0000:c2:00.0: amdgpu: GPU reset(1) failed'].join('\n')),
      { code: 'gpu.needs-reset' },
    ],
    AMD: [
      ran('dmesg', 'amdgpu 0000:03:00.0: amdgpu: 1 uncorrectable hardware errors detected in umc block\n'),
      { code: 'gpu.needs-reset' },
    ],
  },
  silent: {
    'no reset is required': ran(
      'nvidia-smi -q',
      'GPU 00000000:81:00.0\n    GPU Reset Status\n        Reset Required                    : No\n        Drain and Reset Recommended       : No\n',
    ),
    'all well': ran(QUERY, rows(WELL, WELL)),
    'one reading that fails': ran(QUERY, rows('12, 49140, 0, 35, [Unknown Error], 30')),
    'two readings that fail': ran(QUERY, rows('12, 49140, 0, 35, [Unknown Error], [Unknown Error]')),
    'a card without much': ran(QUERY, rows('[N/A], [N/A], 0, [N/A], [N/A], [N/A]')),
    'no advice': action('None'),
    'an advice that is not known': action('[N/A]'),
    'errors of its life': ran(
      'nvidia-smi --query-gpu=index,ecc.errors.uncorrected.aggregate.total --format=csv,noheader',
      '0, 3\n',
    ),
    'errors that were corrected': ran(
      'nvidia-smi --query-gpu=index,ecc.errors.corrected.volatile.total --format=csv,noheader',
      '0, 3\n',
    ),
    'its Xid is another rule’s': ran('dmesg', `${xid(79, 'GPU has fallen off the bus.')}\n`),
    'its Xid of the GSP too': ran('dmesg', `${xid(119, 'Timeout waiting for RPC from GSP!')}\n`),
    'no driver': smi("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.", 9),
    'no devices': smi('No devices were found', 6),
    'lspci, well': ran(
      'lspci -nn',
      '02:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102GL [RTX A6000] [10de:2230] (rev a1)\n',
    ),
    'a busy card': ran(QUERY, rows('48000, 49140, 100, 83, 299.00, 78')),
    'the firmware is loaded': ran('dmesg', 'NVRM: GPU0 GSP firmware 580.95.05 is loaded\n'),
    'an address that a program on an AMD card got wrong': ran(
      'dmesg',
      '[8.1] amdgpu 0000:03:00.0: amdgpu: GPU fault detected: 146 0x0000480c for process python pid 812 thread python pid 812\n[8.2] amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:32770)\n',
    ),
    'a reset of an AMD card that began': ran('dmesg', '[8.1] amdgpu 0000:03:00.0: amdgpu: GPU reset begin!\n'),
    'an AMD card that is back': ran('dmesg', HUNG_AND_BACK.join('\n')),
    'a reset that amdgpu can do': ran('dmesg', 'amdgpu 0000:03:00.0: amdgpu: MODE1 reset method is used\n'),
    'status of another tool': ran('docker', '', { rc: 15 }),
    'a handle without a right': smi(
      'Unable to determine the device handle for GPU 0000:81:00.0: Insufficient Permissions',
      4,
    ),
  },
})
