import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { flagsOf } from '../flags.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { lineRule, toldLike } from '../log/line-faults.ts'
import { signsOf } from '../log/signs.ts'
import { ENGINE_LOG } from '../remedies.ts'
import {
  abortSignatures,
  assertSignatures,
  detokenizerSignatures,
  deviceCheckSignatures,
  kernelSignatures,
  logprobSignatures,
  poolSignatures,
  transportSignatures,
} from './engine-crash-signs.ts'
import { isPassedOn, networkBehind, noInterface, unreached } from './engine-network.ts'
import { ANY_PROGRAM, isOfAnyProgram } from './fallen-program.ts'

const RESTART = 'Restart the engine: after this error its GPU context is gone, and every further request fails.'
const XID =
  'Look on the host: dmesg -T | grep -i xid. Xid 48, 64, 79, 94 or 95 of that minute speak for the card, 13 and 31 rather for the software.'
const UPGRADE = 'Upgrade the engine; if it stays, report it with version, flags and this traceback.'

const BROKEN = { verdict: 'broken', confidence: 'likely', explains: ['log.need-more', 'engine.invariant'] } as const

/** A kernel went wrong on the GPU. */
const kernel: LineFault = {
  signatures: kernelSignatures,
  holds: 'work',
  codes: ['engine.kernel-crash', 'log.need-more'],
  say: ({ name, line }, evidence) => {
    if (name === 'engine-segfault' && isOfAnyProgram(line, evidence)) return ANY_PROGRAM
    if (/out of memory|no kernel image|ALLOC_FAILED|uncorrectable|invalid device function/i.test(line)) return null
    return {
      ...BROKEN,
      code: 'engine.kernel-crash',
      cause: `The engine crashed on the GPU (${whatOf(line)}): a bug in one of its kernels, as a rule, or memory that ran out unseen.`,
      remedy: [RESTART, ...suspectsOf(evidence), isAmd(line) ? AMDGPU : XID, UPGRADE],
      unless: `a card failed in that minute: then dmesg names ${isAmd(line) ? 'its uncorrectable error' : 'its Xid'}.`,
      explains: ['log.need-more', 'engine.invariant', 'engine.hang', 'engine.assert'],
      also: toldLike(evidence, /speculative|attention-backend|flags/i),
    }
  },
}

function isAmd(line: string): boolean {
  return /by GPU node-|HSA_STATUS|\bHIP\b|\bROCm\b/i.test(line)
}

const AMDGPU =
  'Look on the host: dmesg -T | grep -i amdgpu. "reset succeeded" says that the card is back; "uncorrectable" speaks for the card.'

function whatOf(line: string): string {
  return WHAT.find((what) => line.toLowerCase().includes(what.toLowerCase())) ?? 'a GPU error'
}

const WHAT = [
  'illegal memory access',
  'misaligned address',
  'unspecified launch failure',
  'illegal instruction',
  'CUBLAS_STATUS',
  'CUDNN_STATUS',
  'Memory access fault',
  'GPU Hang',
  'HSA_STATUS_ERROR',
  'Segmentation fault',
  'SIGSEGV',
]

/** What is on and known to crash, first. */
function suspectsOf(evidence: Evidence): readonly string[] {
  const flags = flagsOf(evidence)
  const speculates =
    [...flags.keys()].some((name) => name.startsWith('speculative')) ||
    /spec|ngram|eagle|mtp|draft/i.test(aroundOf(evidence))
  const backend = flags.get('attention-backend')
  return [
    ...(speculates
      ? ['If it comes back: start without speculative decoding (leave out the --speculative-… flags).']
      : []),
    `If it comes back: another --attention-backend${backend === undefined ? ' (SGLang: triton or flashinfer)' : ` than ${backend}`}, one change at a time; CUDA_LAUNCH_BLOCKING=1 names the kernel.`,
  ]
}

function aroundOf({ log }: Evidence): string {
  return (
    log?.signs
      .filter(({ name }) => name === 'gpu-kernel-error')
      .flatMap(({ above }) => above)
      .join('\n')
      .slice(0, 4000) ?? ''
  )
}

/** A kernel found an index outside its table. Which one, the line of the check tells, and the traceback only roughly. */
const deviceCheck: LineFault = {
  signatures: deviceCheckSignatures,
  holds: 'work',
  codes: ['engine.assert'],
  say: ({ fields }, evidence) => {
    const { said } = fields
    return {
      ...BROKEN,
      code: 'engine.assert',
      cause: `A check inside a kernel on the GPU failed${said === undefined ? '' : ` (${said.slice(0, 120)})`}: an index outside its table, as a rule a token or a position that the model does not have.`,
      remedy: [
        RESTART,
        'Compare tokenizer and model (one repository, one revision): added tokens beyond the vocabulary, and positions beyond the context, end so.',
        ...suspectsOf(evidence),
        UPGRADE,
      ],
      unless: 'NaN stands in the log above: then the sampler stops at a chance of NaN, and the model is the cause.',
      explains: ['log.need-more', 'engine.invariant', 'engine.hang', 'engine.kernel-crash'],
    }
  },
}

/** The GPUs do not get through to each other; where the log says which connection failed, it is the network. */
const transport: LineFault = {
  signatures: transportSignatures,
  holds: 'work',
  codes: ['engine.kernel-crash', 'engine.peer-unreachable'],
  say: (sign, evidence) => {
    if (/peer access is not supported|to silence this warning/i.test(sign.line)) return null
    if (isOfMemory(sign, evidence)) return null
    // that line names what broke, and where
    if (isPassedOn(sign) && signsOf(evidence, ...kernelSignatures.map(({ name }) => name)).length > 0) return null
    const network = networkBehind(sign, evidence)
    if (network !== null) return network
    return {
      ...BROKEN,
      code: 'engine.kernel-crash',
      cause:
        'The GPUs do not get through to each other (NCCL): one rank died before, /dev/shm is too small, or the way between the cards is broken.',
      remedy: [
        'Read the log of every rank: the one that failed first is the cause. NCCL_DEBUG=INFO makes NCCL say what it tried.',
        'In a container: --ipc=host or --shm-size 16g. In a guest or behind an IOMMU: NCCL_P2P_DISABLE=1; SGLang and vLLM --disable-custom-all-reduce.',
        XID,
      ],
      unless: 'a line above names another error of this rank: that is then the cause.',
      missing: ['the lines that NCCL prints with NCCL_DEBUG=INFO'],
    }
  },
}

/** NCCL says only below, as its last error, that it got no memory: another rule tells what ran out. */
function isOfMemory({ at }: Sign, evidence: Evidence): boolean {
  return signsOf(evidence, 'memory-out').some(({ at: out }) => out >= at - AROUND && out <= at + AROUND)
}

/** in lines */
const AROUND = 6

/** SGLang counts the slots of its pools when idle, and stops where some are lost (sglang#11970, #20010). */
const pool: LineFault = {
  signatures: poolSignatures,
  holds: 'always',
  codes: ['engine.invariant'],
  say: ({ fields }) => ({
    ...BROKEN,
    code: 'engine.invariant',
    cause: `The engine lost count of the slots in its own cache pool${lostOf(fields)} and stopped itself: a bug of this version.`,
    remedy: [
      'Restart the engine; the check runs when it is idle, so it may come back.',
      'Upgrade the engine; note version and flags (speculative decoding, radix cache, page size, disaggregation) for the report.',
      'Until then the feature that is new in the command line is the suspect: leave it out, one at a time.',
    ],
    confidence: 'certain',
    excludes: ['a lack of memory of the host or of the GPU: only slots were miscounted'],
    explains: ['log.need-more', 'engine.assert', 'host.oom', 'mem.does-not-fit'],
  }),
}

function lostOf({ total, free, evictable }: Sign['fields']): string {
  const lost = Number(total) - Number(free) - Number(evictable)
  return Number.isFinite(lost) && lost !== 0 ? ` (${lost} of ${total})` : ''
}

/** A check of the engine's own failed. */
const check: LineFault = {
  signatures: assertSignatures,
  holds: 'start',
  codes: ['engine.assert'],
  say: (sign) => assertOf(sign.line, sign.fields['said'] ?? ''),
}

function assertOf(line: string, said: string): Said | null {
  if (KNOWN_ELSEWHERE.test(line)) return null
  const named = said.trim() === '' ? '' : `: ${said.trim().slice(0, 160)}`
  if (FOR_PEOPLE.test(said)) {
    return {
      ...BROKEN,
      verdict: 'misconfigured',
      code: 'engine.assert',
      cause: `The engine refuses its command line${named}.`,
      remedy: ['Change the setting that the line names, then start again.', ENGINE_LOG],
    }
  }
  return {
    ...BROKEN,
    code: 'engine.assert',
    cause: `The engine stopped at a check of its own${named}.`,
    remedy: [
      'The lines of the traceback above it name the function; leave out the feature that it belongs to (speculative decoding, quantisation, a backend), one at a time.',
      UPGRADE,
    ],
    unless: 'an error above it is the first one: then this follows from it.',
  }
}

const KNOWN_ELSEWHERE =
  /^\s*(?:\/\/|#|\*)|Torch not compiled|not divisible|divisible by|Not enough space|Not enough memory|out of memory|NVML_SUCCESS == r|mamba/i
const FOR_PEOPLE =
  /--[a-z]|\b(?:please|must be|should be|is not supported|are not supported|only supported?s?|requires?|cannot be used|not compatible)\b/i

/** A request that the engine gave up. */
const abort: LineFault = {
  signatures: abortSignatures,
  holds: 'work',
  codes: ['engine.aborted'],
  say: ({ line }) =>
    /disconnect|cancel|client/i.test(line)
      ? null
      : {
          ...BROKEN,
          code: 'engine.aborted',
          cause: 'The engine gave requests up while it worked on them: they ran longer than it allows.',
          remedy: [
            'See why they take so long: /v1/loads (running, waiting), then fewer clients or shorter answers.',
            'Raise or switch off its own limit: SGLANG_REQ_RUNNING_TIMEOUT=-1.',
          ],
        },
}

const detokenizer: LineFault = {
  signatures: detokenizerSignatures,
  holds: 'work',
  codes: ['engine.detokenizer'],
  say: () => ({
    ...BROKEN,
    code: 'engine.detokenizer',
    cause: 'The process that turns tokens into text died with an error, so no answer leaves the server.',
    remedy: [
      'Restart the engine.',
      'If it comes back with the same prompt: token ids outside the vocabulary, as a rule. Compare tokenizer and model (one repository, one revision), then upgrade the engine.',
      ENGINE_LOG,
    ],
  }),
}

const logprobs: LineFault = {
  signatures: logprobSignatures,
  holds: 'always',
  codes: ['engine.logprobs-nonfinite'],
  say: () => ({
    ...BROKEN,
    code: 'engine.logprobs-nonfinite',
    cause: 'The engine cannot write its answer: a log probability is infinite or NaN, and JSON knows neither.',
    remedy: [
      'Repeat without logprobs. If the text is sound then, only the writing is at fault: upgrade the engine.',
      'If the text is “!!!!” or nonsense, the model itself computes NaN: --dtype bfloat16, --kv-cache-dtype auto, another checkpoint.',
    ],
    confidence: 'certain',
  }),
}

/** Crashes of an engine, as its own log shows them. */
export const engineCrashInLog: Rule = lineRule([
  kernel,
  deviceCheck,
  transport,
  unreached,
  noInterface,
  pool,
  check,
  abort,
  detokenizer,
  logprobs,
])
