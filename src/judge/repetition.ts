/** A stretch of text that repeats itself exactly. Positions and lengths are UTF-16 units. */
export interface Run {
  /** smallest distance at which the text repeats */
  readonly period: number
  /** where the first copy starts */
  readonly from: number
  /** how long it is, the first copy included */
  readonly length: number
}

export interface PeriodDetector {
  /** Reads on. Gives the first run that was ever long enough; borders of pieces do not matter. */
  feed(text: string): Run | null
  /** the run in which the text stands now, long enough or not */
  current(): Run | null
  /** one copy of the run in which the text stands now, at most 200 units */
  unit(): string
}

/** A unit is shown and compared by at most this many of its characters. */
export const UNIT_SHOWN = 200

const GRAM = 8
const MAX_PERIOD = 4096
const WINDOW = 2 * MAX_PERIOD
const SLOT_BITS = 14
const BASE = 0x01000193
const BASE_TO_GRAM = Array.from({ length: GRAM }).reduce<number>((power) => Math.imul(power, BASE), 1)

/**
 * Finds exact repetition while text streams: LZ77 with one candidate. A hash of the last 8 units tells where they
 * last stood; the distance is the candidate period, and the run grows while each unit equals the one a period ago.
 * O(1) a unit, no allocation after the start (80 KB), so create it with a channel's first character.
 * `need` tells how many characters must repeat beyond the first copy.
 */
export function periodDetector(need: (period: number) => number = exactNeed): PeriodDetector {
  const ring = new Uint16Array(WINDOW)
  const lastSeen = new Int32Array(1 << SLOT_BITS).fill(-1)
  let position = 0
  let hash = 0
  let period = 0
  let repeated = 0
  let found: Run | null = null

  const at = (index: number): number => ring[index & (WINDOW - 1)] ?? 0
  const current = (): Run | null =>
    period === 0 ? null : { period, from: position - repeated - period, length: repeated + period }

  function read(code: number): void {
    const leaving = position >= GRAM ? at(position - GRAM) + 1 : 0
    hash = (Math.imul(hash, BASE) + code + 1 - Math.imul(leaving, BASE_TO_GRAM)) | 0
    ring[position & (WINDOW - 1)] = code
    const slot = Math.imul(hash, 0x9e3779b1) >>> (32 - SLOT_BITS)
    if (period > 0 && at(position - period) === code) repeated += 1
    else lookBack(lastSeen[slot] ?? -1)
    lastSeen[slot] = position
    position += 1
  }

  function lookBack(earlier: number): void {
    keepIfLong()
    period = 0
    repeated = 0
    if (earlier < GRAM - 1 || position - earlier > MAX_PERIOD || !sameGram(earlier)) return
    period = position - earlier
    repeated = GRAM
  }

  function sameGram(earlier: number): boolean {
    for (let back = 0; back < GRAM; back += 1) if (at(earlier - back) !== at(position - back)) return false
    return true
  }

  function keepIfLong(): void {
    if (period === 0 || repeated < need(period)) return
    const run = current()
    if (found === null || found.from === run?.from) found = run
  }

  return {
    feed(text) {
      for (let index = 0; index < text.length; index += 1) read(text.charCodeAt(index))
      keepIfLong()
      return found
    },
    current,
    unit() {
      const start = position - (repeated % Math.max(period, 1)) - period
      return String.fromCharCode(...Array.from({ length: Math.min(period, UNIT_SHOWN) }, (_, i) => at(start + i)))
    },
  }
}

/** Characters that must repeat beyond the first copy: 150 tokens of the usual length, and so many copies. */
export function exactNeed(period: number, copies = 4): number {
  return Math.max(600, copies * period)
}
