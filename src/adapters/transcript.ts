import { EITHER_END, headAndTail } from '../domain/excerpt.ts'

/** What was received, kept within a bound: all of it up to 256 KiB, else its head and its tail, which `redactEnds` redacts. */
export interface Transcript {
  /** A piece of text and the number of bytes it came in, at most 16 KiB. */
  add(text: string, bytes: number): void
  text(): string
}

export function transcript(): Transcript {
  const head: string[] = []
  const tail: { readonly text: string; readonly bytes: number }[] = []
  let headBytes = 0
  let tailBytes = 0
  let missing = 0
  return {
    add(text, bytes) {
      if (tail.length === 0 && headBytes + bytes <= EITHER_END) {
        head.push(text)
        headBytes += bytes
        return
      }
      tail.push({ text, bytes })
      tailBytes += bytes
      while (tailBytes > EITHER_END) {
        const dropped = tail.shift()?.bytes ?? 0
        tailBytes -= dropped
        missing += dropped
      }
    },
    text() {
      const [first, last] = [head.join(''), tail.map((piece) => piece.text).join('')]
      return missing === 0 ? `${first}${last}` : headAndTail(first, last, headBytes + missing + tailBytes)
    },
  }
}
