/** A line of which the end has not come yet. Of a long one no more than `most` bytes are held, and the very last one. */
export function begunLine(most: number): BegunLine {
  let parts: Buffer[] = []
  let length = 0
  let last: number | undefined
  return {
    add(bytes) {
      if (length < most) parts.push(Buffer.from(bytes.subarray(0, most - length)))
      length += bytes.length
      last = bytes.at(-1) ?? last
    },
    last: () => last,
    bytes: () => length,
    take() {
      // the last byte may be half a line end
      const line = Buffer.concat(length > most && last !== undefined ? [...parts, Buffer.of(last)] : parts)
      parts = []
      length = 0
      last = undefined
      return line
    },
  }
}

export interface BegunLine {
  /** Copies what it keeps. */
  add(bytes: Uint8Array): void
  /** the byte that came last; undefined of an empty line */
  last(): number | undefined
  /** how many have come, also those that are not held */
  bytes(): number
  /** What was held; afterwards nothing is. */
  take(): Buffer
}
