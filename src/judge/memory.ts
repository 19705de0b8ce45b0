import type { Evidence } from '../domain/finding.ts'
import { signsOf } from './log/signs.ts'

/** Free memory of one GPU before and after its weights were loaded, in GiB (SGLang prints GiB and writes GB). */
export interface WeightsRoom {
  readonly before: number
  readonly after: number
}

/** By the log of SGLang; null where it does not say. A draft model is loaded second: its weights count too. */
export function weightsRoom(evidence: Evidence, until = Number.POSITIVE_INFINITY): WeightsRoom | null {
  const above = signsOf(evidence, 'memory-weights-begin', 'memory-weights-end').filter(({ at }) => at <= until)
  const ends = above.filter(({ name }) => name === 'memory-weights-end')
  const begin = numberIn(above.find(({ name }) => name === 'memory-weights-begin')?.fields['free'])
  const used = numberIn(ends[0]?.fields['used'])
  const free = numberIn(ends[0]?.fields['free'])
  const after = numberIn(ends.at(-1)?.fields['free'])
  const before = begin ?? (free === null || used === null ? null : free + used)
  return before === null || after === null || before <= after ? null : { before, after }
}

/** The share of the free memory that the weights alone take: a static fraction at or below it leaves nothing. */
export function smallestFraction({ before, after }: WeightsRoom): number {
  return 1 - after / before
}

/** GiB of the static pool that are left for KV cache and recurrent states at a fraction; below 0 the weights are too large. */
export function poolAt(fraction: number, { before, after }: WeightsRoom): number {
  return after - before * (1 - fraction)
}

/** What activations and CUDA graphs need beside the static part at least, in GiB and as a share of a card. */
const LEAST_BESIDE = 2
const SHARE_BESIDE = 0.06
/** What they are well with (SGLang's guide to its flags: 5 to 8 GB on cards of 40 GB and more). */
const GOOD_BESIDE = 5
const MOST = 0.95
const STEP = 0.03
/** Below it a KV cache is too small for a conversation. */
const LEAST_POOL_SHARE = 0.02

/**
 * The next static fraction to try where a fraction left too little for the KV cache; null where no higher one can work.
 * With the numbers of the weights: at least 5 % of the card above what they take, and 6 % of the card kept free.
 */
export function fractionAbove(now: number | null, room: WeightsRoom | null): number | null {
  if (room === null) return now === null || now >= MOST ? null : round(Math.min(MOST, now + STEP))
  const least = smallestFraction(room)
  const most = Math.min(MOST, 1 - Math.max(LEAST_BESIDE / room.before, SHARE_BESIDE))
  const wanted = now === null || now < least + LEAST_POOL_SHARE ? Math.max(least + 0.05, now ?? 0) : now + STEP
  const next = round(Math.min(wanted, most))
  return next >= least + LEAST_POOL_SHARE && next > (now ?? 0) ? next : null
}

/**
 * The next static fraction to try where too little was left beside the static part; null where no lower one can work.
 * `free` is what was left when the graphs or the requests began, in GiB.
 */
export function fractionBelow(now: number, room: WeightsRoom | null, free: number | null): number | null {
  const missing = room === null || free === null ? 0 : (Math.min(GOOD_BESIDE, room.before / 8) - free) / room.before
  const next = floor(Math.min(now - 0.05, now - missing))
  const least = room === null ? 0.3 : smallestFraction(room) + LEAST_POOL_SHARE
  return next > least ? next : null
}

/** The largest share of a card that is free now, for vLLM's --gpu-memory-utilization; null below a tenth. */
export function shareFree(free: number, total: number): number | null {
  const share = floor(free / total - 0.01)
  return share >= 0.1 ? Math.min(MOST, share) : null
}

/** The share that holds so many GiB more than now; null where it exceeds 95 %. */
export function shareWith(now: number, missing: number, total: number): number | null {
  const share = Math.ceil((now + missing / total) * 100 + 0.5) / 100
  return share <= MOST ? share : null
}

/** Tokens of context that fit so many stored tokens: rounded down to whole blocks, with a little room. */
export function contextWithin(stored: number): number {
  const block = stored >= 4096 ? 256 : 16
  return Math.max(block, Math.floor(stored / block) * block)
}

/** GiB of the smallest card at hand, by its tool, else by what was told (`2x48GB`); null where nobody says. */
export function smallestCard({ gpus, told }: Evidence): number | null {
  const seen = (gpus?.cards ?? []).flatMap(({ memoryTotalMiB }) => memoryTotalMiB ?? [])
  if (seen.length > 0) return Math.min(...seen) / 1024
  const said = (told ?? [])
    .filter((line) => /^(?:[\w.]{1,60}\.)?(?:gpus?|cards?|vram|gpu_memory|hardware): /i.test(line))
    .flatMap((line) =>
      Array.from(line.matchAll(/\b(?:\d{1,2}\s?x\s?)?(\d{1,3}(?:\.\d)?)\s?Gi?B?\b/gi), ([, size]) => Number(size)),
    )
    .filter((size) => size > 0)
  return said.length === 0 ? null : Math.min(...said)
}

/** GiB that each card has to hold of the weights, by the index of the model's files; null where it is not known. */
export function weightsPerCard({ files }: Evidence, cards: number): number | null {
  const bytes = files?.weightsBytes ?? null
  return bytes === null ? null : bytes / 1024 ** 3 / cards
}

/** `896.00`, `MiB` → 0.875; GB and GiB are one, as engines use them. */
export function gib(amount: string | undefined, unit: string | undefined): number | null {
  const number = numberIn(amount)
  if (number === null || unit === undefined) return null
  if (/^k/i.test(unit)) return number / 1024 ** 2
  return /^m/i.test(unit) ? number / 1024 : number
}

/** `19.80 GB` */
export function inGb(number: number): string {
  return `${number.toFixed(number < 10 ? 2 : 1)} GB`
}

export function numberIn(text: string | undefined): number | null {
  return text === undefined || !/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? null : Number(text)
}

const CENT = 100
const round = (share: number): number => Math.round(share * CENT) / CENT
const floor = (share: number): number => Math.floor(share * CENT + 1e-9) / CENT
