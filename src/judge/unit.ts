/** The words and numbers of a text, in order. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** Letters and digits; the signs where there are none. */
export function coreOf(text: string): string {
  const letters = wordsOf(text).join('')
  return letters === '' ? text.replace(/\s/g, '') : letters
}

/** Whether both, written again and again, give the same endless text; it does not matter where a unit was cut. */
export function sameCycle(quote: string, unit: string): boolean {
  const one = coreOf(quote)
  const other = coreOf(unit)
  if (one === '' || other === '') return false
  return again(one, other.length).includes(other) && again(other, one.length).includes(one)
}

/** Whether a unit that repeats says nothing but words of the prompt; its first and last may be cut. */
export function saysOnly(asked: string, unit: string): boolean {
  const words = new Set(wordsOf(asked))
  const repeated = wordsOf(unit.repeat(3)).slice(1, -1)
  if (repeated.length === 0) return words.values().some((word) => sameCycle(word, unit))
  return repeated.every((word) => words.has(word))
}

function again(text: string, atLeast: number): string {
  return text.repeat(Math.ceil(atLeast / text.length) + 1)
}
