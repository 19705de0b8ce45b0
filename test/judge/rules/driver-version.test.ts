import { expect } from 'vitest'
import { driverVersion } from '../../../src/judge/rules/driver-version.ts'
import { QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const MISMATCH = 'Failed to initialize NVML: Driver/library version mismatch\n'
const OTHER = { code: 'driver.lib-mismatch', verdict: 'misconfigured', confidence: 'certain' } as const
const says = (words: string) => expect.stringContaining(words)
const TABLE =
  '| NVIDIA-SMI 535.183.01   Driver Version: 535.183.01   CUDA Version: 12.2     |\n|   0  NVIDIA L4    Off | 00000000:01:00.0 Off |    0 |\n| N/A   31C    P8    12W /  72W |      4MiB / 23034MiB |      0%      Default |\n'

ruleTable(driverVersion, {
  speaks: {
    'on a host, with both versions': [
      ran('nvidia-smi', `${MISMATCH}NVML library version: 580.178\n`, {
        rc: 18,
        told: ['proc_version: NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.173.02'],
      }),
      {
        ...OTHER,
        cause: says('is 580.178, the module that the kernel has loaded 580.173.02'),
        remedy: [says('reboot'), says('Until that hour restart nothing'), says('apt-mark hold')],
      },
    ],
    'on a host, by the kernel': [
      ran('nvidia-smi', MISMATCH, {
        rc: 18,
        kernel: [
          'NVRM: API mismatch: the client has the version 535.171.04, but',
          'NVRM: this kernel module has the version 535.161.08.  Please',
        ],
      }),
      { ...OTHER, cause: says('535.171.04') },
    ],
    'without any version': [
      ran('nvidia-smi', MISMATCH, { rc: 18 }),
      { ...OTHER, missing: [says('/proc/driver/nvidia/version')] },
    ],
    'a status and no word': [ran('nvidia-smi', '', { rc: 18 }), OTHER],
    'the tool and the library': [
      ran('nvidia-smi', 'Mismatch in versions between nvidia-smi and NVML.\n', { rc: 255 }),
      { ...OTHER, remedy: expect.arrayContaining([says('nvidia-utils and libnvidia-compute')]) },
    ],
    'in an LXC guest': [
      ran('pct exec 129 -- nvidia-smi', `${MISMATCH}NVML library version: 570.124\n`, {
        rc: 18,
        place: 'container',
        told: ['host: nvidia-smi on host works, driver 580.126.09'],
      }),
      {
        ...OTHER,
        cause: says('of version 570.124'),
        remedy: [says('Install exactly 580.126.09'), 'The host needs no change.'],
      },
    ],
    'in a Docker container': [
      ran('docker exec llm nvidia-smi', MISMATCH, { rc: 18, place: 'container' }),
      { ...OTHER, remedy: expect.arrayContaining([says('Recreate the container'), 'The host needs no change.']) },
    ],
    'an image asks for more': [
      ran('docker run img', '', {
        rc: 125,
        stderr:
          'nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8, please update your driver to a newer version',
      }),
      { code: 'driver.too-old', verdict: 'misconfigured', cause: says('cuda>=12.8') },
    ],
    'somebody wants more': [
      ran('nvidia-smi', TABLE, { told: ['image: engine with CUDA 12.9'] }),
      { code: 'driver.too-old', confidence: 'likely', cause: says('CUDA 12.9 is wanted, 12.2') },
    ],
  },
  silent: {
    cards: ran(QUERY, rows(WELL)),
    'as much as is wanted': ran('nvidia-smi', TABLE, { told: ['image: engine with cu121'] }),
    'nobody wants anything': ran('nvidia-smi', TABLE),
    'no driver': ran('nvidia-smi', '', { rc: 9 }),
    'unknown error': ran('nvidia-smi', 'Failed to initialize NVML: Unknown Error\n', { rc: 255 }),
    'an old line of the kernel': ran(QUERY, rows(WELL), {
      kernel: ['NVRM: API mismatch: the client has the version 535.171.04, but'],
    }),
    'a version that somebody tells': ran(QUERY, rows(WELL), {
      told: ['host: nvidia-smi on host works, driver 580.126.09'],
    }),
    'no toolkit': ran('docker run img', '', {
      rc: 125,
      stderr: 'could not select device driver "" with capabilities: [[gpu]].',
    }),
    'another mismatch': ran('apt', 'Hash Sum mismatch\n', { rc: 100 }),
    'no tool': ran('nvidia-smi', '', { rc: 127 }),
  },
})
