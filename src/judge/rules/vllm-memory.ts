import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { flagsOf, numberFlag, tensorParallel } from '../flags.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { contextWithin, gib, inGb, numberIn, shareFree, shareWith, smallestCard } from '../memory.ts'
import { GPU_HOLDERS, insteadOf } from '../remedies.ts'

/** vLLM takes its share of a card before it loads, and refuses where the share is not free or holds no whole context. */
export const vllmMemory: Rule = {
  codes: ['mem.fraction', 'mem.kv-too-small', 'mem.does-not-fit'],
  signatures: [
    {
      name: 'share-not-free',
      anchors: ['less than desired GPU memory utilization'],
      pattern:
        /Free memory on device(?: \S{1,20})? \((?<free>\d{1,4}\.?\d*)\/(?<total>\d{1,4}\.?\d*) Gi?B\) on startup is less than desired GPU memory utilization \((?<share>\d?\.?\d+), (?<asked>\d{1,4}\.?\d*) Gi?B\)/,
      example:
        'ValueError: Free memory on device cuda:0 (20.1/23.6 GiB) on startup is less than desired GPU memory utilization (0.9, 21.3 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.',
      nearMiss: 'Free memory on device cuda:0 (23.1/23.6 GiB) on startup.',
    },
    {
      name: 'no-cache-blocks',
      anchors: ['No available memory for the cache blocks'],
      pattern: /No available memory for the cache blocks/,
      example:
        'ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.',
      nearMiss: 'Available KV cache memory: 5.12 GiB',
    },
    {
      name: 'context-over-cache',
      anchors: ['than the maximum number of tokens that can be stored in KV cache'],
      pattern:
        /max seq len \((?<context>\d{1,9})\) is larger than the maximum number of tokens that can be stored in KV cache \((?<stored>\d{1,9})\)/,
      example:
        "ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (61936).",
      nearMiss: 'the maximum number of tokens that can be stored in KV cache is 61936',
    },
    {
      name: 'context-over-memory',
      anchors: ['To serve at least one request with'],
      pattern:
        /To serve at least one request with the models?'?s max seq len \((?<context>\d{1,9})\), \(?(?<needed>\d{1,5}\.?\d*) Gi?B KV cache is ?needed, which is larger than the available KV [Cc]ache memory \((?<available>\d{1,5}\.?\d*) Gi?B\)(?:.{0,60}estimated maximum model length is (?<fits>\d{1,9}))?/,
      example:
        "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory (3.54 GiB). Based on the available memory, the estimated maximum model length is 28976.",
      nearMiss: 'To serve at least one request with tools, set a parser.',
    },
    {
      name: 'vllm-share',
      anchors: ['total_gpu_memory ('],
      pattern:
        /total_gpu_memory \((?<total>\d{1,4}\.?\d*)Gi?B\) x gpu_memory_utilization \((?<share>\d?\.?\d+)\).{0,40}?model weights take (?<weights>\d{1,4}\.?\d*)Gi?B/,
      example:
        'the current vLLM instance can use total_gpu_memory (23.65GiB) x gpu_memory_utilization (0.90) = 21.28GiB model weights take 14.99GiB; non_torch_memory takes 0.09GiB',
      nearMiss: 'total_gpu_memory (unknown)',
    },
    {
      name: 'vllm-cache-memory',
      anchors: ['Available KV cache memory: '],
      pattern: /Available KV cache memory: (?<available>-?\d{1,4}\.?\d*) Gi?B/,
      example: 'INFO [gpu_worker.py:298] Available KV cache memory: -2.31 GiB',
      nearMiss: 'Available KV cache memory: unknown',
    },
  ],
  check(evidence) {
    const [sign] = standing(evidence, 'share-not-free', 'no-cache-blocks', 'context-over-cache', 'context-over-memory')
    if (sign === undefined) return []
    if (sign.name === 'share-not-free') return [notFree(sign)]
    return [sign.name === 'no-cache-blocks' ? noBlocks(evidence, sign) : kvTooSmall(evidence, sign)]
  },
}

function notFree(sign: Sign): Finding {
  const [free, total, asked] = ['free', 'total', 'asked'].map((name) => numberIn(sign.fields[name]) ?? 0)
  const { share } = sign.fields
  const next = shareFree(free ?? 0, total ?? 0)
  const lower =
    next === null
      ? []
      : [`Set ${insteadOf(`--gpu-memory-utilization ${next}`, share ?? null)}: so much of the card is free.`]
  const tooLittle = next === null ? ' So little is free that no smaller share serves a model.' : ''
  const clear = `See who holds the rest: ${GPU_HOLDERS}. End what is yours and no longer needed, then start again as it is.`
  const isHeld = (free ?? 0) < (total ?? 0) / 2
  return {
    code: 'mem.fraction',
    verdict: 'misconfigured',
    cause: `vLLM wants ${inGb(asked ?? 0)} of the card (${share} of ${inGb(total ?? 0)}), and only ${inGb(free ?? 0)} are free: another process holds the rest.${tooLittle}`,
    because: [quotedSign(sign)],
    remedy: isHeld ? [clear, ...lower] : [...lower, clear],
    confidence: 'certain',
    missing: [GPU_HOLDERS],
    explains: ['mem.static-too-small'],
    at: sign.at,
  }
}

function noBlocks(evidence: Evidence, sign: Sign): Finding {
  const flags = flagsOf(evidence)
  const profile = signsOf(evidence, 'vllm-share', 'vllm-cache-memory').findLast(({ at }) => at <= sign.at)
  const now = numberFlag(flags, 'gpu-memory-utilization') ?? numberIn(profile?.fields['share'])
  const missing = -(numberIn(profile?.fields['available']) ?? 0)
  const total = numberIn(profile?.fields['total']) ?? smallestCard(evidence)
  const next = now === null || total === null || missing <= 0 ? null : shareWith(now, missing + 1, total)
  const tp = tensorParallel(flags)
  return {
    code: 'mem.does-not-fit',
    verdict: 'misconfigured',
    cause: "The weights and the largest batch fill vLLM's share of the card: nothing is left for the KV cache.",
    because: [...(profile === undefined ? [] : [profile]), sign].map(quotedSign),
    remedy: [
      ...(next === null
        ? raised(now)
        : [`Set ${insteadOf(`--gpu-memory-utilization ${next}`, now)}: ${inGb(missing)} are missing.`]),
      'Lower the largest batch and the context: --max-num-seqs 16 --max-num-batched-tokens 2048 --max-model-len 8192.',
      `Else more GPUs (--tensor-parallel-size ${tp * 2}) or a smaller quantisation of the model (FP8, AWQ, GPTQ).`,
    ],
    confidence: 'certain',
    unless: `another process holds memory of the card: ${GPU_HOLDERS}`,
    at: sign.at,
  }
}

/** Above that share, too little is left for what vLLM does not count. */
const MOST_SHARE = 0.95

/** The advice to take the largest share; none where it is taken already. */
function raised(now: number | null): readonly string[] {
  if (now === null) return [`Where the share is below ${MOST_SHARE}, raise it: --gpu-memory-utilization ${MOST_SHARE}.`]
  return now < MOST_SHARE
    ? [
        `Set ${insteadOf(`--gpu-memory-utilization ${MOST_SHARE}`, now)}: above it too little is left for what vLLM does not count.`,
      ]
    : []
}

function kvTooSmall(evidence: Evidence, sign: Sign): Finding {
  const { context, stored, needed, available, fits } = sign.fields
  const holds = stored === undefined ? fitting(sign) : Number(stored)
  const flags = flagsOf(evidence)
  const profile = signsOf(evidence, 'vllm-share').findLast(({ at }) => at <= sign.at)
  const now = numberFlag(flags, 'gpu-memory-utilization') ?? numberIn(profile?.fields['share'])
  const total = numberIn(profile?.fields['total']) ?? smallestCard(evidence)
  const [wants, has] = [gib(needed, 'GiB'), gib(available, 'GiB')]
  const next =
    now === null || total === null || wants === null || has === null ? null : shareWith(now, wants - has, total)
  const room = stored !== undefined ? `${stored} tokens` : `${available} GiB, and one of it needs ${needed} GiB`
  return {
    code: 'mem.kv-too-small',
    verdict: 'misconfigured',
    cause: `The KV cache holds ${room}; the context that the server offers is ${context} tokens, so not even one full request fits.`,
    because: [quotedSign(sign)],
    remedy: [
      holds === null
        ? 'Offer less context: --max-model-len 8192.'
        : `Offer less context: --max-model-len ${contextWithin(holds)}${fits === undefined && stored === undefined ? '' : ' (rounded down to whole blocks)'}.`,
      next === null
        ? `Or give it more memory: ${now === null || now < MOST_SHARE ? `--gpu-memory-utilization up to ${MOST_SHARE}, ` : ''}another GPU (--tensor-parallel-size).`
        : `Or give it more memory: ${insteadOf(`--gpu-memory-utilization ${next}`, now)} holds the whole context.`,
      'Or halve what a token takes: --kv-cache-dtype fp8, on cards that know FP8.',
    ],
    confidence: 'certain',
    at: sign.at,
  }
}

/** By the message's own estimate, else in proportion to the memory. */
function fitting({ fields }: Sign): number | null {
  const estimate = numberIn(fields['fits'])
  if (estimate !== null) return estimate
  const [context, needed, available] = [
    numberIn(fields['context']),
    numberIn(fields['needed']),
    numberIn(fields['available']),
  ]
  return context === null || needed === null || available === null || needed <= 0
    ? null
    : (context * available) / needed
}
