import type { Rule } from '../../domain/finding.ts'
import type { Signature } from '../../domain/signature.ts'
import type { LineFault } from '../log/line-faults.ts'
import { lineRule } from '../log/line-faults.ts'
import { resetOf } from '../remedies.ts'

const EXPLAINED = ['log.need-more', 'engine.kernel-crash', 'engine.hang', 'engine.assert', 'engine.invariant'] as const

const lost: LineFault = {
  signatures: [
    {
      name: 'gpu-lost',
      anchors: ['GPU is lost', 'fallen off the bus', 'NVMLError_GpuIsLost', 'CUDA_ERROR_DEVICE_UNAVAILABLE'],
      pattern: /GPU is lost|(?:GPU|device) has fallen off the bus|NVMLError_GpuIsLost/,
      example: 'pynvml.NVMLError_GpuIsLost: GPU is lost',
      nearMiss: 'no GPU was lost in transport',
    },
  ],
  holds: 'always',
  codes: ['gpu.off-bus'],
  say: () => ({
    code: 'gpu.off-bus',
    verdict: 'hardware-fault',
    cause: 'A GPU fell off the bus: the driver no longer reaches it, and what worked on it is gone.',
    remedy: [
      'Take the traffic off the host and reboot it, best with the power off for a minute; nothing less brings the card back.',
      'If it comes back: seat, riser, power cables and supply, heat; then the card in another slot. dmesg -T | grep -iE "xid|aer|pcieport" shows what came before.',
    ],
    confidence: 'certain',
    explains: [...EXPLAINED, 'gpu.needs-reset'],
  }),
}

const reset: LineFault = {
  signatures: [
    {
      name: 'gpu-uncorrectable',
      anchors: [
        'uncorrectable ECC error',
        'uncorrectable NVLink error',
        'GPU requires reset',
        'NVMLError_ResetRequired',
        'cudaErrorECCUncorrectable',
        'hipErrorECCNotCorrectable',
      ],
      pattern:
        /uncorrectable (?:ECC|NVLink) error (?:encountered|was detected|detected)|GPU requires reset|NVMLError_ResetRequired|cudaErrorECCUncorrectable|hipErrorECCNotCorrectable/,
      example: 'RuntimeError: CUDA error: uncorrectable ECC error encountered',
      nearMiss: 'volatile uncorrectable ECC errors: 0',
    },
  ],
  holds: 'always',
  codes: ['gpu.needs-reset'],
  say: () => ({
    code: 'gpu.needs-reset',
    verdict: 'hardware-fault',
    cause: 'A GPU reports a fault of its own memory or link, so the engine cannot work on it.',
    remedy: [
      `Take the traffic off. ${resetOf(null)}`,
      'nvidia-smi -q -d ECC,ROW_REMAPPER and dmesg -T | grep -i xid name the card and the memory; if it comes back, have the card exchanged.',
    ],
    confidence: 'certain',
    explains: EXPLAINED,
  }),
}

/** What the operating system refuses. Shared memory is no disk: another rule knows it. */
const systemLines: readonly [Signature, ...Signature[]] = [
  {
    name: 'host-disk-full',
    anchors: ['No space left on device', 'Disk quota exceeded', 'Not enough free disk space'],
    pattern:
      /[\]:] No space left on device|No space left on device \(os error|[\]:] Disk quota exceeded|Not enough free disk space to download/,
    example: "OSError: [Errno 28] No space left on device: '/root/.cache/huggingface/hub'",
    nearMiss: '240 GB of space are left on the device',
  },
  {
    name: 'host-stale-mount',
    anchors: ['Stale file handle', 'Stale NFS file handle'],
    pattern: /[\]:] Stale (?:NFS )?file handle(?! reference)|Stale file handle \(os error/,
    example: "OSError: [Errno 116] Stale file handle: '/mnt/models/qwen/config.json'",
    nearMiss: 'a stale file handle is an NFS matter',
  },
  {
    name: 'host-no-permission',
    anchors: ['Permission denied', 'permission denied', 'is not member of'],
    pattern:
      /PermissionError: \[Errno 13\] Permission denied(?:: '(?<path>[^']{1,300})')?|Permission denied \(os error 13\)|(?:open|load|read|stat|access)\w* .{0,120}(?<path>\/(?:dev|srv|mnt|models?|data|opt|root|home)\/[^\s:'"]{1,200})['"]?:? ?(?:read-write: )?[Pp]ermission denied|permission denied while trying to connect to the [Dd]ocker daemon|is not member of "render" group/,
    example: "PermissionError: [Errno 13] Permission denied: '/srv/models/qwen/config.json'",
    nearMiss: 'sshd: Permission denied (publickey).',
  },
]

const system: LineFault = {
  signatures: systemLines,
  holds: 'start',
  codes: ['host.disk-full', 'host.nfs-stale', 'host.permission'],
  say: ({ name, line, fields }) => {
    if (/\/dev\/shm|shared memory|[NR]CCL/i.test(line)) return null
    if (name === 'host-disk-full') return DISK
    return name === 'host-stale-mount' ? STALE : permission(fields['path'])
  },
}

const DISK = {
  code: 'host.disk-full',
  verdict: 'degraded',
  cause: 'A disk of the host is full, so the server cannot write what it must: a download, a cache, its log.',
  remedy: [
    'df -h and df -i show which disk; du -xh --max-depth=2 DIRECTORY | sort -h | tail shows what fills it: old models in ~/.cache/huggingface, images (docker system df), core files.',
    'Make room or point HF_HOME, TMPDIR and the compile caches to a larger disk; then start again. A file that was being written is short: fetch it anew.',
  ],
  confidence: 'certain',
  explains: ['log.need-more', 'weights.truncated'],
} as const

const STALE = {
  code: 'host.nfs-stale',
  verdict: 'misconfigured',
  cause: 'The mount from which the server reads is stale: its file server was restarted or exports it anew.',
  remedy: [
    'Stop the engine, umount -l MOUNT and mount MOUNT again, then ls MOUNT and start.',
    'In a container restart it after the mount: it holds the old one.',
  ],
  confidence: 'certain',
  explains: ['log.need-more', 'weights.truncated'],
} as const

function permission(path: string | undefined) {
  const what = path === undefined ? '' : `: ${path}`
  const isDevice = path?.startsWith('/dev/') ?? false
  return {
    code: 'host.permission',
    verdict: 'misconfigured',
    cause: `The user of the server may not open what it needs${what}.`,
    remedy: [
      isDevice
        ? 'Add the user to the groups of the device (usermod -aG render,video USER), log in anew or restart the unit; a container wants --device and --group-add.'
        : `namei -l ${path ?? 'PATH'} shows at which folder it ends; give the user of the unit the right (chown, or setfacl -R -m u:USER:rX), then start again.`,
      'A cache that was made by root belongs to root: chown -R USER its folder. With SELinux: ls -Z, and :z at the mount of a container.',
    ],
    confidence: 'certain',
    explains: ['log.need-more', 'hub.auth', 'weights.truncated'],
  } as const
}

/** Faults of the cards and of the operating system, where the log of an engine shows them. */
export const hostInLog: Rule = lineRule([lost, reset, system])
