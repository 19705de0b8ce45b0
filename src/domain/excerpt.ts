/**
 * The beginning of a text, at most so many characters, for a sentence. A word that the cut would split is left out whole:
 * half a secret is one that no redaction can know again.
 */
export function excerpt(text: string, most: number): string {
  const letters = [...text]
  if (letters.length <= most) return text
  const kept = letters.slice(0, most).join('')
  const split = PART_OF_WORD.test(letters[most] ?? '')
  return `${split ? kept.replace(/[\w\-./+=~%]+$/, '') : kept}…`
}

/** The end of a text in the same way. */
export function excerptOfEnd(text: string, most: number): string {
  const letters = [...text]
  if (letters.length <= most) return text
  const kept = letters.slice(-most).join('')
  const split = PART_OF_WORD.test(letters.at(-most - 1) ?? '')
  return `…${split ? kept.replace(/^[\w\-./+=~%]+/, '') : kept}`
}

const PART_OF_WORD = /[\w\-./+=~%]/
