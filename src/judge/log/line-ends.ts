/** Lines end with `\n`, `\r\n` or, as progress bars do, `\r`. */
const LF = 10
const CR = 13

/** Counts the lines that end between two places of these bytes, both at the start of a line. */
export function endCounter(bytes: Buffer): (from: number, to: number) => number {
  if (bytes.includes(CR)) return (from, to) => countAll(bytes, from, to)
  return (from, to) => {
    let count = 0
    for (let at = bytes.indexOf(LF, from); at !== -1 && at < to; at = bytes.indexOf(LF, at + 1)) count += 1
    return count
  }
}

function countAll(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) count += 1
  return count
}

/** Where the line begins in which `at` stands. */
export function startOfLine(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && !isEnd(bytes[start - 1])) start -= 1
  return start
}

/** Where the line ends in which `at` stands: at its end mark, or at the end of all. */
export function endOfLine(bytes: Uint8Array, at: number): number {
  let end = at
  while (end < bytes.length && !isEnd(bytes[end])) end += 1
  return end
}

/** After the first line end; -1 where none is sure: the last byte may be the first half of `\r\n`. */
export function afterFirstEnd(bytes: Uint8Array): number {
  const end = endOfLine(bytes, 0)
  if (bytes[end] === LF) return end + 1
  if (bytes[end] !== CR || end + 1 === bytes.length) return -1
  return bytes[end + 1] === LF ? end + 2 : end + 1
}

/** After the last line end that is sure; 0 where there is none. */
export function afterLastEnd(bytes: Buffer): number {
  const whole = bytes.lastIndexOf(LF) + 1
  // the last byte may be the first half of `\r\n`
  return whole + bytes.subarray(whole, -1).lastIndexOf(CR) + 1
}

/** Where the lines begin that stand directly above the line at `start`, nearest first; no more than `most`. */
export function startsAbove(bytes: Uint8Array, start: number, most: number): readonly number[] {
  const starts: number[] = []
  let next = start
  while (next > 0 && starts.length < most) {
    const isPair = next > 1 && bytes[next - 1] === LF && bytes[next - 2] === CR
    next = startOfLine(bytes, next - (isPair ? 2 : 1))
    starts.push(next)
  }
  return starts
}

/** Whether a byte ends a line. */
export function isEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR
}
