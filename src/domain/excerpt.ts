/**
 * The beginning of a text, at most so many characters, for a sentence. A word that the cut would split is left out whole:
 * half a secret is one that no redaction can know again.
 */
export function excerpt(text: string, most: number): string {
  const letters = [...text.slice(0, units(most))]
  if (letters.length <= most) return text
  return `${letters.slice(0, isPart(letters[most]) ? startOfWord(letters, most) : most).join('')}…`
}

/** The end of a text in the same way. */
export function excerptOfEnd(text: string, most: number): string {
  const letters = [...text.slice(-units(most))]
  if (letters.length <= most) return text
  const from = letters.length - most
  return `…${letters.slice(isPart(letters[from - 1]) ? endOfWord(letters, from) : from).join('')}`
}

/**
 * The beginning of a text that was cut before anybody could redact it: without the line that the cut split, or the word
 * where that line is long or the only one.
 */
export function beforeCut(text: string): string {
  const line = text.lastIndexOf('\n') + 1
  return text.slice(0, line > 0 && text.length - line <= LONGEST_WORD ? line : startOfWord(text, text.length))
}

/**
 * A text as an exchange holds it until it is redacted: whole up to 256 KiB, else its two ends with a line between.
 * `redactEnds` cuts more off beside that line.
 */
export function bothEnds(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= MOST) return text
  const from = bytes.length - EITHER_END
  return headAndTail(bytes.toString('utf8', 0, EITHER_END), bytes.toString('utf8', from), bytes.length)
}

const MOST = 256 * 1024

/** Bytes of either end; with the line between them no more than 256 KiB. */
export const EITHER_END = MOST / 2 - 32

/** The head and the tail of a text of `bytes` bytes, with a line between that says how many are missing; no word is split. */
export function headAndTail(head: string, tail: string, bytes: number): string {
  const first = head.slice(0, startOfWord(head, head.length))
  const last = tail.slice(endOfWord(tail, 0))
  const missing = bytes - Buffer.byteLength(first) - Buffer.byteLength(last)
  return `${first}\n… ${missing} bytes left out …\n${last}`
}

/** What `headAndTail` was made of. */
export interface Ends {
  readonly head: string
  readonly tail: string
  /** of the whole text */
  readonly bytes: number
}

/**
 * The two ends of a text that an exchange holds; null where it is whole. Anybody may write such a line: of several in a
 * long text all between the first and the last counts as left out, and in a short one, or near an end, it is only text.
 */
export function endsOf(text: string): Ends | null {
  if (Buffer.byteLength(text) < SHORTEST_CUT) return null
  const lines = Array.from(text.matchAll(GAP), ({ 0: line, 1: missing, index }) => ({
    missing: Number(missing),
    from: index,
    to: index + line.length,
  })).filter(({ from, to }) => from >= SHORTEST_END && to <= text.length - SHORTEST_END)
  const [first, last] = [lines[0], lines.at(-1)]
  if (first === undefined || last === undefined) return null
  const [head, tail] = [text.slice(0, first.from), text.slice(last.to)]
  const between = first === last ? first.missing : first.missing + last.missing
  return { head, tail, bytes: Buffer.byteLength(head) + between + Buffer.byteLength(tail) }
}

const GAP = /\n… (\d{1,12}) bytes left out …\n/g
/** A transcript drops pieces of up to 16 KiB whole, and a word: bytes of what is left of a text that was cut. */
const SHORTEST_CUT = 2 * EITHER_END - 48 * 1024
/** The same of one end in UTF-16 units, of which one may be three bytes. */
const SHORTEST_END = 32 * 1024

/** So many UTF-16 units hold one letter more than these. */
function units(letters: number): number {
  return 2 * (letters + 1)
}

type Letters = ArrayLike<string>

/** Where the word begins that ends before `at`, which may be `at` itself. */
function startOfWord(letters: Letters, at: number): number {
  let start = at
  while (at - start < LONGEST_WORD && isPart(letters[start - 1])) start -= 1
  return start
}

/** Where the word ends that begins at `at`. */
function endOfWord(letters: Letters, at: number): number {
  let end = at
  while (end - at < LONGEST_WORD && isPart(letters[end])) end += 1
  return end
}

/** Longer ones are data; in UTF-16 units or letters. */
const LONGEST_WORD = 4096

/** Whether a cut that splits no word may go through here: what it leaves of a text is no more than its words. */
export function isBetweenWords(text: string, at: number): boolean {
  return !isPart(text[at - 1]) || !isPart(text[at])
}

/** What a secret, or a URL with one, may be written with. U+FFFD is what a cut inside a letter leaves. */
function isPart(letter: string | undefined): boolean {
  return letter !== undefined && /[\w!#$%&*+\-./:=?@\\^~\u200b-\u200f\u2060\ufeff\ufffd]/.test(letter)
}
