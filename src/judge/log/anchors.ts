/**
 * Finds all of many literal texts in one pass over bytes (Wu and Manber). Of each text a window as long as the shortest
 * one is looked for; a hash of the last three bytes tells how far the pass may move on without missing a window. With
 * hundreds of texts blocks of two bytes would stop it at every other letter. No text is shorter than three bytes.
 */
export function anchorSearch(anchors: readonly string[]): AnchorSearch {
  const texts = anchors.map((anchor) => Buffer.from(anchor))
  const window = Math.min(LONGEST_WINDOW, ...texts.map(({ length }) => length))
  const { shifts, bucketOf, buckets } = tables(texts, window)
  return (bytes, hit) => {
    const { length } = bytes
    let end = window - 1
    while (end < length) {
      const block = hashOf(bytes, end)
      const shift = shifts[block] ?? 1
      if (shift === 0) tellAt(bytes, end - window + 1, buckets[bucketOf[block] ?? 0] ?? [], hit)
      end += shift === 0 ? 1 : shift
    }
  }
}

/** Tells of each place where an anchor begins, in the order of the places of their windows; an anchor by its index. */
export type AnchorSearch = (bytes: Uint8Array, hit: Hit) => void

type Hit = (at: number, anchor: number) => void

/** A shift is one byte. */
const LONGEST_WINDOW = 256
const BLOCK = 3
const HASHES = 1 << 16

interface Tables {
  readonly shifts: Uint8Array
  /** of a block that ends a window: the place of its bucket */
  readonly bucketOf: Uint16Array
  readonly buckets: readonly (readonly Candidate[])[]
}

interface Candidate {
  readonly text: Uint8Array
  readonly index: number
}

function tables(texts: readonly Uint8Array[], window: number): Tables {
  const shifts = new Uint8Array(HASHES).fill(window - BLOCK + 1)
  const bucketOf = new Uint16Array(HASHES)
  // the first one is of the blocks that end no window
  const buckets: Candidate[][] = [[]]
  for (const [index, text] of texts.entries()) {
    for (let at = BLOCK - 1; at < window; at += 1) {
      const block = hashOf(text, at)
      shifts[block] = Math.min(shifts[block] ?? 0, window - 1 - at)
    }
    const last = hashOf(text, window - 1)
    if (bucketOf[last] === 0) bucketOf[last] = buckets.push([]) - 1
    buckets[bucketOf[last] ?? 0]?.push({ text, index })
  }
  return { shifts, bucketOf, buckets }
}

/** Of the three bytes that end at `at`. */
function hashOf(bytes: Uint8Array, at: number): number {
  return (((bytes[at - 2] ?? 0) << 11) ^ ((bytes[at - 1] ?? 0) << 6) ^ (5 * (bytes[at] ?? 0))) & (HASHES - 1)
}

function tellAt(bytes: Uint8Array, from: number, candidates: readonly Candidate[], hit: Hit): void {
  for (const { text, index } of candidates) if (startsAt(bytes, from, text)) hit(from, index)
}

function startsAt(bytes: Uint8Array, from: number, text: Uint8Array): boolean {
  if (from + text.length > bytes.length) return false
  for (let at = 0; at < text.length; at += 1) if (bytes[from + at] !== text[at]) return false
  return true
}
