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

/** A text as an exchange keeps it: whole up to 256 KiB, else its two ends with a line between. */
export function bothEnds(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= 2 * EITHER_END) return text
  const from = bytes.length - EITHER_END
  return headAndTail(bytes.toString('utf8', 0, EITHER_END), bytes.toString('utf8', from), bytes.length)
}

/** Bytes of either end; with the line between them no more than 256 KiB. */
export const EITHER_END = 128 * 1024 - 32

/** The head and the tail of a text of `bytes` bytes, with a line between that says how many are missing; no word is split. */
export function headAndTail(head: string, tail: string, bytes: number): string {
  const first = head.slice(0, startOfWord(head, head.length))
  const last = tail.slice(endOfWord(tail, 0))
  const missing = bytes - Buffer.byteLength(first) - Buffer.byteLength(last)
  return `${first}\n… ${missing} bytes left out …\n${last}`
}

/** So many UTF-16 units hold one letter more than these. */
function units(letters: number): number {
  return 2 * (letters + 1)
}

type Letters = ArrayLike<string>

/** Where the word begins that ends before `at`, which may be `at` itself. */
function startOfWord(letters: Letters, at: number): number {
  let start = at
  while (isPart(letters[start - 1])) start -= 1
  return start
}

/** Where the word ends that begins at `at`. */
function endOfWord(letters: Letters, at: number): number {
  let end = at
  while (isPart(letters[end])) end += 1
  return end
}

/** U+FFFD is what a cut inside a letter leaves. */
function isPart(letter: string | undefined): boolean {
  return letter !== undefined && /[\w\-./+=~%\uFFFD]/.test(letter)
}
