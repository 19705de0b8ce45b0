import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import { bodyOf, complaintOf, hasFailed, saidNo } from '../refusal.ts'
import { ENGINE_LOG, resetOf } from '../remedies.ts'

/** The engine died on its GPUs under the request, and the error that it sent names how. */
export const crashed: Rule = {
  codes: ['engine.kernel-crash', 'engine.peer-unreachable', 'engine.assert', 'gpu.needs-reset', 'mem.static-too-large'],
  check(evidence) {
    const crash = crashIn(evidence)
    return crash === null ? [] : [crash]
  },
}

/** Null where the error does not say so; a refusal may quote the prompt, an error of the engine does not. */
export function crashIn({ smoke }: Evidence): Finding | null {
  const complaint = complaintOf(smoke)
  if (!hasFailed(smoke) || (complaint?.kind !== 'server' && complaint?.kind !== 'aborted')) return null
  const said = `${complaint.message} ${bodyOf(smoke)}`
  const crash = CRASHES.find(({ anchor }) => anchor.test(said))
  if (crash === undefined) return null
  return { ...crash.finding, because: [saidNo(smoke, complaint.message)], confidence: 'likely' }
}

const XID =
  'Look on the host: dmesg -T | grep -i xid. Lines of that minute with Xid 48, 64, 79, 94 or 95 speak for the card, 13 and 31 rather for the software.'
const RESTART = 'Restart the engine: after this error its other requests fail too.'

interface Crash {
  readonly anchor: RegExp
  readonly finding: Omit<Finding, 'because' | 'confidence'>
}

/** The first that fits: an error of the card and of memory often ends in a general CUDA error as well. */
const CRASHES: readonly Crash[] = [
  {
    anchor: /uncorrectable (?:ECC|NVLink)|\bXid\b|fallen off the bus|GPU is lost|requires reset/i,
    finding: {
      code: 'gpu.needs-reset',
      verdict: 'hardware-fault',
      cause: 'A GPU of the server reports a fault of its own; the engine cannot work on it.',
      remedy: [XID, `Take the traffic off. ${resetOf(null)} If it comes back, have the card exchanged.`],
      unless: 'the engine alone crashed and nothing of the card stands in dmesg.',
    },
  },
  {
    anchor: /out of memory|OutOfMemoryError|STATUS_ALLOC_FAILED|NVML_SUCCESS == r INTERNAL ASSERT/i,
    finding: {
      code: 'mem.static-too-large',
      verdict: 'misconfigured',
      cause: 'The GPU ran out of memory while the engine worked: too little is left beside its static share.',
      remedy: [
        'See with nvidia-smi who holds memory of the card; end what does not belong there.',
        'Leave more room: lower SGLang --mem-fraction-static, vLLM --gpu-memory-utilization (by 0.05), or --max-running-requests and --chunked-prefill-size. Then restart the engine.',
      ],
      unless: 'another process took the memory: nvidia-smi lists it.',
    },
  },
  {
    anchor:
      /\b[Cc]onnect(?:ion)? to [\w.:%-]{2,80}<\d{1,5}>.{0,80}(?:Connection refused|timed out|No route to host|is unreachable)/,
    finding: {
      code: 'engine.peer-unreachable',
      verdict: 'misconfigured',
      cause:
        'A rank of the engine could not connect to another one: the network between them, not the GPUs, by a wrong interface or a firewall.',
      remedy: [
        'See by which interface the hosts reach each other: ip route get ADDRESS. Set NCCL_SOCKET_IFNAME and GLOO_SOCKET_IFNAME to it on every host, then start all ranks again.',
        'Open the firewall between the hosts for all TCP ports, both ways: NCCL takes any that is free.',
      ],
      unless: 'another rank ended before: then its log names its own error, which is the cause.',
    },
  },
  {
    anchor: /\b[NR]CCL\b|collective operation timeout/i,
    finding: {
      code: 'engine.kernel-crash',
      verdict: 'broken',
      cause:
        'The GPUs of the server do not get through to each other (NCCL): one of them died or hangs, or the way between is broken.',
      remedy: [
        'Read the engine log of every rank: the one that fell silent first is the cause.',
        XID,
        'Restart the engine. If it comes back: NCCL_P2P_DISABLE=1 or --disable-custom-all-reduce; in a container, more /dev/shm (--ipc=host).',
      ],
      unless: 'a card failed: then dmesg names its Xid.',
    },
  },
  {
    anchor: /device-side assert/i,
    finding: {
      code: 'engine.assert',
      verdict: 'broken',
      cause:
        'A check inside a kernel on the GPU failed: an index outside its table, as a rule a token or a position that the model does not have.',
      remedy: [
        RESTART,
        `${ENGINE_LOG} The line with "Assertion" above it names the table; compare tokenizer and model (one repository, one revision).`,
        'If it comes back: no speculative decoding, another --attention-backend, a newer engine, one at a time.',
      ],
      unless: 'the model computes NaN: then the log says so above.',
    },
  },
  {
    anchor:
      /illegal memory access|misaligned address|unspecified launch failure|illegal instruction|CUBLAS_STATUS|CUDNN_STATUS|(?:CUDA|HIP) error(?!: no kernel image)/i,
    finding: {
      code: 'engine.kernel-crash',
      verdict: 'broken',
      cause: 'The engine crashed on the GPU: a bug in one of its kernels, as a rule, or memory that ran out unseen.',
      remedy: [
        RESTART,
        XID,
        `${ENGINE_LOG} If it comes back: upgrade the engine, another --attention-backend, no speculative decoding, one at a time.`,
      ],
      unless: 'the card is faulty: then dmesg names its Xid.',
    },
  },
]
