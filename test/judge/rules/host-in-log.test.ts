import { expect } from 'vitest'
import { hostInLog } from '../../../src/judge/rules/host-in-log.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

ruleTable(hostInLog, {
  speaks: {
    'a card that is gone': [
      logged('pynvml.NVMLError_GpuIsLost: GPU is lost'),
      { code: 'gpu.off-bus', verdict: 'hardware-fault' },
    ],
    'memory of a card': [
      logged('RuntimeError: CUDA error: uncorrectable ECC error encountered'),
      { code: 'gpu.needs-reset', verdict: 'hardware-fault' },
    ],
    'a full disk': [
      logged("OSError: [Errno 28] No space left on device: '/root/.cache/huggingface'"),
      { code: 'host.disk-full', verdict: 'degraded' },
    ],
    'a stale mount': [
      logged("OSError: [Errno 116] Stale file handle: '/mnt/models/q/config.json'"),
      { code: 'host.nfs-stale', verdict: 'misconfigured' },
    ],
    'a directory of another user': [
      logged("PermissionError: [Errno 13] Permission denied: '/srv/models/q/config.json'"),
      {
        code: 'host.permission',
        verdict: 'misconfigured',
        remedy: [expect.stringContaining('namei -l /srv/models/q/config.json'), expect.any(String)],
      },
    ],
    'a device of AMD': [
      logged('Unable to open /dev/kfd read-write: Permission denied'),
      { code: 'host.permission', remedy: [expect.stringContaining('render,video'), expect.any(String)] },
    ],
  },
  silent: {
    ...ORDINARY,
    'shared memory, which is no disk': logged(
      'NCCL WARN Error while creating shared memory segment /dev/shm/nccl-a (size 1), error: No space left on device (28)',
    ),
    'a login that failed': logged('sshd: Permission denied (publickey).'),
    'counters of a sound card': logged('Volatile Uncorrectable ECC errors: 0'),
    'a cache that could not be written, and a server that runs': logged([
      "PermissionError: [Errno 13] Permission denied: '/root/.cache'",
      READY,
    ]),
  },
})
