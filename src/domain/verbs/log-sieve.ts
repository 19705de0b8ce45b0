/** What stands in JSON in another form than in plain text, or makes journalctl print numbers instead of text. */
const CHANGED = /["\\\p{C}]+/u

/** So many bytes fit a word. */
const LONGEST = 150

/**
 * What the host sifts log lines by: the longest part of a text that is the same in a journal's JSON and in a plain file.
 * Every line with the text holds it; the exact look follows here.
 */
export function sieveOf(text: string): string {
  const parts = text.split(CHANGED)
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '')
  return head(longest)
}

/** Whether the sieve is the whole text, so that all it lets through is wanted. */
export function sievesAll(text: string): boolean {
  return sieveOf(text) === text
}

function head(text: string): string {
  let bytes = 0
  let kept = ''
  for (const letter of text) {
    bytes += Buffer.byteLength(letter)
    if (bytes > LONGEST) break
    kept += letter
  }
  return kept
}
