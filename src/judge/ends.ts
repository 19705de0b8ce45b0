/** A part of a text, and where it begins there. */
export interface Part {
  readonly text: string
  readonly at: number
}

/** So many characters at each end of a text are judged: a diagnosis takes 50 ms at most, whatever a server sends. */
const END = 32_768

/** What is judged of a text: all of it, or both ends where it is longer than both. Never empty. */
export function endsOf(text: string): readonly [Part, ...Part[]] {
  if (text.length <= 2 * END) return [{ text, at: 0 }]
  const at = text.length - END
  return [
    { text: text.slice(0, END), at: 0 },
    { text: text.slice(at), at },
  ]
}

/** The same as one text. */
export function judgedPart(text: string): string {
  return endsOf(text)
    .map((part) => part.text)
    .join('\n')
}
