import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import type { Flags } from '../flags.ts'
import { flagSignatures, flagsOf, numberFlag, tensorParallel } from '../flags.ts'
import { memorySignatures } from '../log/memory-signs.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import type { WeightsRoom } from '../memory.ts'
import {
  fractionAbove,
  inGb,
  numberIn,
  poolAt,
  shareWith,
  smallestCard,
  smallestFraction,
  weightsRoom,
} from '../memory.ts'
import { insteadOf } from '../remedies.ts'

/**
 * SGLang's static share (weights, recurrent states, KV cache) leaves nothing for the KV cache: it wants the fraction up.
 * Where the next lower one ran out of memory, no fraction works (sglang#4330).
 */
export const staticMemory: Rule = {
  codes: ['mem.static-too-small', 'mem.does-not-fit'],
  signatures: [...flagSignatures, ...memorySignatures],
  check(evidence) {
    const [sign] = standing(evidence, 'memory-too-small', 'memory-no-room', 'memory-state-cache')
    if (sign === undefined) return []
    const out = signsOf(evidence, 'memory-out').find(({ at }) => at !== sign.at)
    if (out !== undefined && isNear(evidence, sign, out)) return [betweenBoth(evidence, sign, out)]
    return [tooSmall(evidence, sign)]
  },
}

/** Fractions further apart than this leave one between them to try. */
const NEAR = 0.1

function isNear(evidence: Evidence, one: Sign, other: Sign): boolean {
  const [low, high] = [fractionAt(evidence, one.at), fractionAt(evidence, other.at)]
  return low === null || high === null || Math.abs(high - low) <= NEAR + 1e-9
}

/** The fraction that was last named at or above a line. */
function fractionAt(evidence: Evidence, at: number): number | null {
  const named = signsOf(evidence, 'memory-fraction').findLast((sign) => sign.at <= at)
  return numberIn(named?.fields['value']?.replace(/^\./, '0.'))
}

function betweenBoth(evidence: Evidence, small: Sign, out: Sign): Finding {
  const flags = flagsOf(evidence)
  return {
    code: 'mem.does-not-fit',
    verdict: 'misconfigured',
    cause:
      'No static fraction works: one leaves nothing for the KV cache, its neighbour nothing to compute with. Weights, draft model, KV cache and graphs together are larger than the card.',
    because: [quotedSign(out), quotedSign(small)],
    remedy: [
      ...(speculates(evidence, flags)
        ? [
            'Start without speculative decoding (leave out all --speculative-… flags): the draft model and its graphs need GBs of every card.',
          ]
        : []),
      ...spread(flags),
      'Or need less: --context-length 16384, --cuda-graph-max-bs 8, --max-running-requests 8, --chunked-prefill-size 2048.',
    ],
    confidence: 'likely',
    unless: 'another process holds memory of the card: nvidia-smi lists it.',
    explains: ['mem.static-too-small', 'mem.static-too-large', 'mem.cuda-graph'],
    at: Math.min(small.at, out.at),
  }
}

function spread(flags: Flags): readonly string[] {
  return [
    `Spread the model over more GPUs: --tp-size ${2 * tensorParallel(flags)}.`,
    'Or serve a smaller quantisation of it (FP8, AWQ, GPTQ).',
  ]
}

function speculates(evidence: Evidence, flags: Flags): boolean {
  return (
    [...flags.keys()].some((name) => name.startsWith('speculative-')) ||
    (evidence.told ?? []).some((line) => /speculat|draft|\bMTP\b|EAGLE/i.test(line))
  )
}

function tooSmall(evidence: Evidence, sign: Sign): Finding {
  const flags = flagsOf(evidence)
  const room = weightsRoom(evidence, sign.at)
  const now = numberIn(sign.fields['now']) ?? fractionAt(evidence, sign.at) ?? numberFlag(flags, 'mem-fraction-static')
  const least = numberIn(sign.fields['least']) ?? (room === null ? null : smallestFraction(room))
  const next = fromRest(sign, now, room?.before ?? smallestCard(evidence)) ?? nextFraction(sign, now, room)
  if (next === null && (least ?? 0) >= FULL) return tooLarge(evidence, sign, least)
  const ends = signsOf(evidence, 'memory-weights-end').filter(({ at }) => at <= sign.at)
  const hybrid = isHybrid(evidence, flags, sign)
  return {
    code: 'mem.static-too-small',
    verdict: 'misconfigured',
    cause: `The static share of the GPU memory${now === null ? '' : ` (${now})`} leaves nothing for the KV cache after the weights${hybrid ? ' and the recurrent states of a hybrid model' : ''}: the start ends there.`,
    because: [...ends.slice(-1), sign].map(quotedSign),
    remedy: [raise(next, now), ...shrink(flags, hybrid)],
    confidence: 'certain',
    ...excluded(now, room),
    unless: 'another process holds memory of the card: nvidia-smi lists it; end that first.',
    at: sign.at,
  }
}

/** A weights' share of the card beyond which no fraction leaves a KV cache. */
const FULL = 0.93

function nextFraction(sign: Sign, now: number | null, room: WeightsRoom | null): number | null {
  const least = numberIn(sign.fields['least'])
  if (least === null || (now !== null && least <= now)) return fractionAbove(now, room)
  return least < FULL ? Math.min(0.95, Math.ceil((least + 0.05) * 100) / 100) : null
}

/** Where SGLang prints how much it lacks: so much more, and 2 GB for the states and the cache. */
function fromRest({ fields }: Sign, now: number | null, total: number | null): number | null {
  const rest = numberIn(fields['rest'])
  if (rest === null || rest >= 0 || now === null || total === null) return null
  return shareWith(now, 2 - rest, total)
}

function raise(next: number | null, now: number | null): string {
  if (next !== null) {
    return `Raise the fraction: ${insteadOf(`--mem-fraction-static ${next}`, now)}. This message at the start wants it up, not down.`
  }
  return now === null
    ? 'Raise --mem-fraction-static by 0.03, to 0.95 at most. This message at the start wants it up, not down.'
    : `The fraction is at ${now} already: take less of it, as follows.`
}

function shrink(flags: Flags, hybrid: boolean): string[] {
  const running = numberFlag(flags, 'max-running-requests')
  const fewer = running === null || running < 3 ? 8 : Math.ceil(running / 3)
  const ratio = numberFlag(flags, 'mamba-full-memory-ratio')
  if (hybrid) {
    return [
      `Set ${insteadOf(`--max-running-requests ${fewer}`, running)}: a hybrid model reserves recurrent states for each of them before the KV cache.`,
      `Set ${insteadOf(`--mamba-full-memory-ratio ${ratio !== null && ratio <= 0.5 ? 0.3 : 0.5}`, ratio)}, and fewer --speculative-num-draft-tokens.`,
    ]
  }
  return [
    `Or need less: --max-running-requests ${fewer}, --context-length 16384, more GPUs (--tp-size), or a smaller quantisation of the model.`,
  ]
}

function isHybrid({ log }: Evidence, flags: Flags, sign: Sign): boolean {
  const lines = [...(log?.signs ?? []).map(({ line }) => line), ...sign.above]
  return (
    sign.name === 'memory-state-cache' ||
    [...flags.keys()].some((name) => name.includes('mamba')) ||
    lines.some((line) => /mamba|qwen3[._]?5|qwen3[-_]?next|nemotron_?h|linear[-_]attention/i.test(line))
  )
}

function excluded(now: number | null, room: WeightsRoom | null): Pick<Finding, 'excludes'> {
  if (room === null) return {}
  const pool = now === null ? null : poolAt(now, room)
  const left = `weights that are too large for the card: ${inGb(room.after)} of ${inGb(room.before)} were free after them`
  return {
    excludes:
      pool === null || pool <= 0
        ? [left]
        : [
            left,
            `the weights alone: they leave ${inGb(pool)} of the static share, which the states of the requests took`,
          ],
  }
}

function tooLarge(evidence: Evidence, sign: Sign, least: number | null): Finding {
  const share = least === null ? '' : ` They take ${Math.round(least * 100)} % of what is free.`
  return {
    code: 'mem.does-not-fit',
    verdict: 'misconfigured',
    cause: `The weights fill the card: no static fraction leaves room for a KV cache and for computing.${share}`,
    because: [...signsOf(evidence, 'memory-weights-end').slice(-1), sign].map(quotedSign),
    remedy: [
      ...spread(flagsOf(evidence)),
      'See with nvidia-smi whether another process holds memory of the card; end it before the start.',
    ],
    confidence: 'likely',
    explains: ['mem.static-too-small'],
    at: sign.at,
  }
}
