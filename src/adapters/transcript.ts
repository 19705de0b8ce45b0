/** What was received, kept within a bound: all of it up to 256 KiB, else its head and its tail. */
export interface Transcript {
  /** A piece of text and the number of bytes it came in. */
  add(text: string, bytes: number): void
  text(): string
}

const HALF = 128 * 1024

export function transcript(): Transcript {
  const head: string[] = []
  const tail: { readonly text: string; readonly bytes: number }[] = []
  let headBytes = 0
  let tailBytes = 0
  let missing = 0
  return {
    add(text, bytes) {
      if (tail.length === 0 && headBytes + bytes <= HALF) {
        head.push(text)
        headBytes += bytes
        return
      }
      tail.push({ text, bytes })
      tailBytes += bytes
      while (tailBytes > HALF) {
        const dropped = tail.shift()?.bytes ?? 0
        tailBytes -= dropped
        missing += dropped
      }
    },
    text() {
      const gap = missing === 0 ? '' : `\n… ${missing} bytes left out …\n`
      return `${head.join('')}${gap}${tail.map((piece) => piece.text).join('')}`
    },
  }
}
