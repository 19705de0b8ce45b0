import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { flagsOf, numberFlag, tensorParallel } from '../flags.ts'
import { foreignIn } from '../foreign-memory.ts'
import type { Moment } from '../log/moment.ts'
import { momentOf } from '../log/moment.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { fractionBelow, inGb, numberIn, smallestCard, weightsPerCard, weightsRoom } from '../memory.ts'
import { GPU_HOLDERS, insteadOf } from '../remedies.ts'

/** "CUDA out of memory" means one thing at each stage: while weights load the static fraction is without effect, later it is too large. */
export const outOfMemory: Rule = {
  codes: ['mem.static-too-large', 'mem.cuda-graph', 'mem.does-not-fit'],
  check(evidence) {
    const signs = standing(evidence, 'memory-out', 'memory-graph-failed')
    const out = signs.find((sign) => sign.name === 'memory-out' || isMemory(sign))
    if (out === undefined) return []
    if (isWarmUp(out)) return [atWork(evidence, out)]
    const isGraph = signs.some((sign) => sign.name === 'memory-graph-failed' && sign.at >= out.at)
    const finding = byMoment(isGraph ? 'graphs' : momentOf(evidence, out), evidence, out)
    if (finding === null) return []
    return [/NVML_SUCCESS == r/.test(out.line) ? unreported(finding) : finding]
  },
}

/** PyTorch asks NVML who holds the memory only once there is none left; where that fails too, it stops at a check of its own. */
function unreported(finding: Finding): Finding {
  return {
    ...finding,
    cause: `${finding.cause} PyTorch could not even report it: the driver did not tell who holds the memory.`,
    confidence: 'likely',
    unless: 'nvidia-smi fails there too: then the driver, or the container without it, is the cause.',
    missing: [...(finding.missing ?? []), GPU_HOLDERS],
  }
}

function isMemory({ name, fields, line }: Sign): boolean {
  return name === 'memory-graph-failed' && /out of memory|OutOfMemory|ALLOC_FAILED/i.test(fields['why'] ?? line)
}

/** vLLM fills its pools and then warms the sampler up: the share is too large by then. */
function isWarmUp({ line }: Sign): boolean {
  return /warming up sampler|lowering `?max_num_seqs`? or `?gpu_memory_utilization/.test(line)
}

/** Null for a card that was full before the first weight: the rule of leftover processes tells that. */
function byMoment(moment: Moment | null, evidence: Evidence, out: Sign): Finding | null {
  if (isLlama(evidence) && moment !== 'work' && moment !== 'graphs' && moment !== null) return inWeights(evidence, out)
  switch (moment) {
    case 'weights':
      return inWeights(evidence, out)
    case 'trial':
      return inTrial(out)
    case 'graphs':
      return inGraphs(evidence, out)
    case 'before':
      return null
    case 'pools':
      return atPools(evidence, out)
    case 'work':
      return atWork(evidence, out)
    case null:
      return { ...atWork(evidence, out), ...UNSURE }
  }
}

const UNSURE = {
  cause: 'The GPU ran out of memory; where in the start or at work, the log does not show.',
  confidence: 'likely',
  unless:
    'it happened while the weights were loaded: then the model does not fit and the fraction is without effect; or another process holds memory of the card (nvidia-smi).',
  missing: [
    'the lines above it: the last of "Load weight begin", "Load weight end", "cuda graph begin", "ready to roll"',
  ],
} as const

const OTHERS = 'another process took the memory: nvidia-smi lists it.'

function inWeights(evidence: Evidence, out: Sign): Finding {
  const flags = flagsOf(evidence)
  const cards = tensorParallel(flags)
  const each = weightsPerCard(evidence, cards)
  const card = smallestCard(evidence)
  const sizes = each === null || card === null ? '' : ` ${inGb(each)} for each card of ${inGb(card)}.`
  const speculates = [...flags.keys()].some((name) => name.startsWith('speculative-'))
  return {
    code: 'mem.does-not-fit',
    verdict: 'misconfigured',
    cause: `The weights do not fit the card: memory ran out while they were loaded, where the static fraction has no effect.${sizes}`,
    because: [...signsOf(evidence, 'memory-weights-begin').slice(-1), out].map(quotedSign),
    remedy: [
      ...(isLlama(evidence) ? [FEWER_LAYERS] : []),
      `Spread the model over more GPUs: --tp-size ${cards * 2} (vLLM --tensor-parallel-size ${cards * 2}).`,
      'Or serve a smaller quantisation of it (FP8, AWQ, GPTQ).',
      ...(speculates ? ['Start without speculative decoding: the draft model is loaded beside the other.'] : []),
      'See with nvidia-smi before the start whether the card is empty.',
    ],
    confidence: 'likely',
    excludes: ['the static fraction: it counts only after the weights'],
    unless: OTHERS,
    at: out.at,
  }
}

function inTrial(out: Sign): Finding {
  return {
    code: 'mem.does-not-fit',
    verdict: 'misconfigured',
    cause:
      'Weights and the largest batch together do not fit the card: memory ran out in the trial run before the KV cache.',
    because: [quotedSign(out)],
    remedy: [
      'Lower the largest batch: vLLM --max-num-batched-tokens 2048 --max-num-seqs 64, and --max-model-len to what you need.',
      'Or spread the model over more GPUs (--tensor-parallel-size), or serve a smaller quantisation of it.',
    ],
    confidence: 'likely',
    unless: OTHERS,
    at: out.at,
  }
}

function inGraphs(evidence: Evidence, out: Sign): Finding {
  const begin = signsOf(evidence, 'stage-graphs').findLast(({ at, line }) => at <= out.at && AVAILABLE.test(line))
  return {
    code: 'mem.cuda-graph',
    verdict: 'misconfigured',
    cause: 'The capture of CUDA graphs ran out of memory: the static share leaves too little beside it.',
    because: [...(begin === undefined ? [] : [begin]), out].map(quotedSign),
    remedy: [
      less(evidence, out, freeIn(begin)),
      'Or capture smaller batches: SGLang --cuda-graph-max-bs 16 (from 0.5.14 on --cuda-graph-max-bs-decode 16), vLLM --max-num-seqs 64.',
      'Last: without graphs, which is much slower: SGLang --disable-cuda-graph, vLLM --enforce-eager.',
    ],
    confidence: 'certain',
    unless: OTHERS,
    explains: ['mem.static-too-large'],
    at: out.at,
  }
}

const AVAILABLE = /avail[_ ]mem=(\d{1,4}(?:\.\d+)?) GB/

function freeIn(sign: Sign | undefined): number | null {
  return sign === undefined ? null : numberIn(AVAILABLE.exec(sign.line)?.[1])
}

/** The step down for the engine at hand, with its number where it can be computed. */
function less(evidence: Evidence, out: Sign, free: number | null): string {
  if (isLlama(evidence)) return FEWER_LAYERS
  const flags = flagsOf(evidence)
  const [now, share] = [
    numberFlag(flags, 'mem-fraction-static') ?? fractionAbove(evidence, out),
    numberFlag(flags, 'gpu-memory-utilization'),
  ]
  if (evidence.log?.writer === 'vllm' || (share !== null && now === null)) {
    return lessOfShare(share)
  }
  const next = now === null ? null : fractionBelow(now, weightsRoom(evidence, out.at), free)
  if (next !== null) return `Set ${insteadOf(`--mem-fraction-static ${next}`, now)}: at this stage it wants to go down.`
  return evidence.log?.writer === 'sglang' || now !== null
    ? 'Lower --mem-fraction-static by 0.05 (0.8 or 0.7 where it is not set): at this stage it wants to go down.'
    : 'Lower SGLang --mem-fraction-static, vLLM --gpu-memory-utilization, by 0.05: at this stage it wants to go down.'
}

/** A small share fills no card: then others do. */
function lessOfShare(share: number | null): string {
  if (share === null) return 'Lower vLLM --gpu-memory-utilization by 0.05 (0.9 where it is not set: 0.85).'
  const next = Math.floor(Math.round((share - STEP) * 1000) / 10) / 100
  return next < STEP
    ? `--gpu-memory-utilization ${share} is little already: see with nvidia-smi who holds the rest of the card.`
    : `Set ${insteadOf(`--gpu-memory-utilization ${next.toFixed(2)}`, share)}: at this stage it wants to go down.`
}

const STEP = 0.05

function isLlama({ log }: Evidence): boolean {
  return log?.writer === 'llama-cpp' || log?.writer === 'ollama'
}

const FEWER_LAYERS =
  'Put less on the GPU: -ngl 20 (fewer layers), or -c 4096 --parallel 1 -ub 256 (Ollama: OLLAMA_CONTEXT_LENGTH=4096 OLLAMA_NUM_PARALLEL=1).'

function fractionAbove(evidence: Evidence, out: Sign): number | null {
  const named = signsOf(evidence, 'memory-fraction').findLast(({ at }) => at <= out.at)
  return numberIn(named?.fields['value']?.replace(/^\./, '0.'))
}

function atPools(evidence: Evidence, out: Sign): Finding {
  return {
    ...atWork(evidence, out),
    cause:
      'Memory ran out while the pools of the KV cache were laid out: the static share is larger than what is free.',
    remedy: [
      less(evidence, out, null),
      'See with nvidia-smi who else holds memory of the card; end what does not belong there.',
    ],
  }
}

function atWork(evidence: Evidence, out: Sign): Finding {
  const isPrefill = /Prefill out of memory/.test(out.line)
  const foreign = foreignIn(out)
  return {
    code: 'mem.static-too-large',
    verdict: 'misconfigured',
    cause:
      'The GPU ran out of memory at work: its static share (weights and KV cache) leaves too little to compute with.',
    because: [quotedSign(out)],
    remedy: [
      less(evidence, out, null),
      isPrefill
        ? 'Or prefill in smaller pieces: --chunked-prefill-size 2048.'
        : 'Or let fewer requests in: SGLang --max-running-requests 16 --chunked-prefill-size 2048, vLLM --max-num-seqs 64 --max-num-batched-tokens 2048. Then restart.',
    ],
    confidence: 'likely',
    unless:
      foreign === null || !foreign.isOther
        ? OTHERS
        : `the ${inGb(foreign.held)} of another process are to blame: nvidia-smi lists it.`,
    at: out.at,
  }
}
