/**
 * Finds all of many literal texts in one pass over bytes that reads them four at a time, on addresses that four divides.
 * Wherever a text of seven bytes stands, one such word lies wholly within it, at one of four places: these four words of
 * each text are known by a hash, and whatever word is none of them is done with. A text of six bytes leaves one byte of
 * one word open. No text is shorter.
 */
export function anchorSearch(anchors: readonly string[]): AnchorSearch {
  const { bucketOf, buckets } = tables(anchors.map((anchor) => Buffer.from(anchor)))
  return (bytes, hit) => {
    const first = -bytes.byteOffset & (WORD - 1)
    const words = wordsOf(bytes, first)
    const { length } = words
    const rest = wordAt(bytes, first + WORD * length)
    function tell(at: number, bucket: readonly Candidate[], following: number): void {
      for (let place = 0; place < bucket.length; place += 1) {
        const candidate = bucket[place]
        if (candidate === undefined || ((candidate.following ^ following) & candidate.known) !== 0) continue
        const from = first + WORD * at - candidate.offset
        if (standsAt(bytes, from, candidate.text)) hit(from, candidate.index)
      }
    }
    for (let at = 0; at < length; at += 1) {
      const bucket = bucketOf[hashOf(words[at] ?? 0)] ?? 0
      if (bucket !== 0) tell(at, buckets[bucket] ?? [], at + 1 < length ? (words[at + 1] ?? 0) : rest)
    }
    tell(length, buckets[bucketOf[hashOf(rest)] ?? 0] ?? [], 0)
  }
}

/** Tells of each place where an anchor begins, line after line; an anchor by its index. */
export type AnchorSearch = (bytes: Uint8Array, hit: Hit) => void

type Hit = (at: number, anchor: number) => void

/** in bytes */
const WORD = 4
const BITS = 16
/** spreads words over the hashes (Knuth's multiplicative hash) */
const SPREAD = 0x9e37_79b1

interface Tables {
  /** of a hash: the place of its bucket; the first one is of words that stand in no anchor */
  readonly bucketOf: Uint16Array
  readonly buckets: readonly (readonly Candidate[])[]
}

/** An anchor that may stand where one of its words was seen. */
interface Candidate {
  readonly text: Uint8Array
  readonly index: number
  /** where in the anchor the word begins */
  readonly offset: number
  /** the word behind it, and the bits of that which are the anchor's */
  readonly following: number
  readonly known: number
}

function tables(texts: readonly Uint8Array[]): Tables {
  const bucketOf = new Uint16Array(1 << BITS)
  const buckets: Candidate[][] = [[]]
  for (const [index, text] of texts.entries())
    for (let offset = 0; offset < WORD; offset += 1) {
      const following = wordAt(text, offset + WORD)
      const known = wordAt(new Uint8Array(text.length).fill(255), offset + WORD)
      for (const hash of new Set(wordsAt(text, offset).map(hashOf))) {
        if (bucketOf[hash] === 0) bucketOf[hash] = buckets.push([]) - 1
        buckets[bucketOf[hash] ?? 0]?.push({ text, index, offset, following, known })
      }
    }
  return { bucketOf, buckets }
}

/** The words that may stand there in a text: one, or as many as there are bytes where its last one follows the text. */
function wordsAt(text: Uint8Array, offset: number): readonly number[] {
  if (offset + WORD <= text.length) return [wordAt(text, offset)]
  const word = new Uint8Array(WORD)
  word.set(text.subarray(offset))
  return Array.from({ length: 256 }, (_, last) => {
    word[WORD - 1] = last
    return wordsOf(word, 0)[0] ?? 0
  })
}

/** The word that begins at `at`; what lies beyond the end counts as 0. */
function wordAt(bytes: Uint8Array, at: number): number {
  const word = new Uint8Array(WORD)
  word.set(bytes.subarray(at, at + WORD))
  return wordsOf(word, 0)[0] ?? 0
}

function wordsOf(bytes: Uint8Array, from: number): Int32Array {
  const count = Math.max(0, Math.floor((bytes.length - from) / WORD))
  return count === 0 ? new Int32Array(0) : new Int32Array(bytes.buffer, bytes.byteOffset + from, count)
}

function hashOf(word: number): number {
  return Math.imul(word, SPREAD) >>> (32 - BITS)
}

function standsAt(bytes: Uint8Array, from: number, text: Uint8Array): boolean {
  if (from < 0 || from + text.length > bytes.length) return false
  for (let at = 0; at < text.length; at += 1) if (bytes[from + at] !== text[at]) return false
  return true
}
