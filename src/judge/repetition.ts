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
const MASK = WINDOW - 1
const SLOT_BITS = 14
/** Of each unit 4 bits leave the hash with each further one, so that it is one of the last GRAM units. */
const SHIFT = 32 / GRAM
const SPREAD = 0x9e3779b1

/**
 * Finds exact repetition while text streams: LZ77 with one candidate. A hash of the last 8 units tells where they
 * last stood; the distance is the candidate period, and the run grows while each unit equals the one a period ago.
 * O(1) a unit, no allocation after the start (80 KB), so create it with a channel's first character.
 * `need` tells how many characters must repeat beyond the first copy.
 */
export function periodDetector(need: (period: number) => number = exactNeed): PeriodDetector {
  const ring = new Uint16Array(WINDOW)
  // one more than the place, so that 0 is none
  const lastSeen = new Int32Array(1 << SLOT_BITS)
  let position = 0
  let hash = 0
  let period = 0
  let repeated = 0
  let found: Run | null = null

  /** The loop that all text goes through: it works on variables of its own, since those of the closure are slow. */
  function read(text: string): void {
    let [place, rolling, distance, again] = [position, hash, period, repeated]
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      rolling = ((rolling << SHIFT) + Math.imul(code, SPREAD)) | 0
      ring[place & MASK] = code
      const slot = Math.imul(rolling, SPREAD) >>> (32 - SLOT_BITS)
      if (distance > 0 && ring[(place - distance) & MASK] === code) again += 1
      else {
        keepIfLong(place, distance, again)
        distance = distanceTo(ring, (lastSeen[slot] ?? 0) - 1, place)
        again = distance > 0 ? GRAM : 0
      }
      place += 1
      lastSeen[slot] = place
    }
    position = place
    hash = rolling
    period = distance
    repeated = again
  }

  function keepIfLong(place: number, distance: number, again: number): void {
    if (distance === 0 || again < need(distance)) return
    const from = place - again - distance
    if (found === null || found.from === from) found = { period: distance, from, length: again + distance }
  }

  return {
    feed(text) {
      read(text)
      keepIfLong(position, period, repeated)
      return found
    },
    current: () => (period === 0 ? null : { period, from: position - repeated - period, length: repeated + period }),
    unit() {
      const start = position - (repeated % Math.max(period, 1)) - period
      return String.fromCharCode(...Array.from({ length: Math.min(period, UNIT_SHOWN) }, (_, i) => at(ring, start + i)))
    },
  }
}

function at(ring: Uint16Array, place: number): number {
  return ring[place & MASK] ?? 0
}

/** How far back the same units stand; 0 where they do not, or out of reach. */
function distanceTo(ring: Uint16Array, earlier: number, place: number): number {
  if (earlier < GRAM - 1 || place - earlier > MAX_PERIOD) return 0
  for (let back = 0; back < GRAM; back += 1) if (ring[(earlier - back) & MASK] !== ring[(place - back) & MASK]) return 0
  return place - earlier
}

/** Characters that must repeat beyond the first copy: 150 tokens of the usual length, and so many copies. */
export function exactNeed(period: number, copies = 4): number {
  return Math.max(600, copies * period)
}
