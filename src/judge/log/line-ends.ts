/** Lines end with `\n`, `\r\n` or, as progress bars do, `\r`. */
const LF = 10
const CR = 13

/** One line after another of these bytes, which begin with a line. */
export interface LineWalk {
  /** where the line begins */
  readonly start: number
  /** where it ends: at its end mark, or at the end of all */
  readonly stop: number
  /** how many lines stand before it */
  readonly before: number
  /** Goes on to the line in which `at` stands; never back. */
  to(at: number): void
}

/** `text` has a character for every byte. */
export function lineWalk(bytes: Uint8Array, text: string): LineWalk {
  const stopOf = text.includes('\r') ? (from: number) => endOfLine(bytes, from) : (from: number) => nextLf(text, from)
  const walk = {
    start: 0,
    stop: stopOf(0),
    before: 0,
    to(at: number): void {
      while (at >= walk.stop && walk.stop < bytes.length) {
        walk.start = walk.stop + (isPair(bytes, walk.stop) ? 2 : 1)
        walk.stop = stopOf(walk.start)
        walk.before += 1
      }
    },
  }
  return walk
}

function nextLf(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

function isPair(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === CR && bytes[at + 1] === LF
}

/** Where the line begins in which `at` stands. */
function startOfLine(bytes: Uint8Array, at: number): number {
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
    next = startOfLine(bytes, next - (next > 1 && isPair(bytes, next - 2) ? 2 : 1))
    starts.push(next)
  }
  return starts
}

function isEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR
}
