import type { GateSection } from '../gate.ts'
import { linesOf, MOST_ENTRIES, wholeNumber } from './reading.ts'

/** The file that a unit logs to, as it was when it was read. */
export interface LogFile {
  /** device and inode: another one means that it was rotated */
  readonly id: string
  /** bytes */
  readonly size: number
  /** where the next reading begins, in bytes: behind the last whole line read; null after a search */
  readonly next: number | null
}

/** What was asked for of a file: lines from an offset on, or the last ones. */
interface Wish {
  readonly lines: number
  readonly offset?: number
  readonly grep?: string
}

/** Reads `DEV:INODE SIZE START`; null where the log is no file. */
export function readLogFile(section: GateSection | null, log: GateSection, wish: Wish): LogFile | null {
  const [line = ''] = linesOf(section)
  const [, id = '', sizeText, startText] = /^(\S{3,64}) (\d{1,16}) (\d{1,16})$/.exec(line.trim()) ?? []
  const size = wholeNumber(sizeText)
  const start = wholeNumber(startText)
  if (size === null || start === null) return null
  return { id, size, next: isSearch(wish) ? null : start + bytesOf(wholeLines(log.text, wish)) }
}

/** The lines of a log file, blank ones too. A last line without its end is left for the reading that goes on from there. */
export function linesOfFile({ text }: GateSection, wish: Wish): readonly string[] {
  if (wish.offset !== undefined) return wholeLines(text, wish)
  const lines = text.split('\n')
  return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).slice(-MOST_ENTRIES)
}

function wholeLines(text: string, wish: Wish): readonly string[] {
  const lines = text.split('\n').slice(0, -1)
  if (wish.offset === undefined) return lines
  return lines.slice(0, isSearch(wish) ? MOST_ENTRIES : wish.lines)
}

function isSearch({ grep = '' }: Wish): boolean {
  return grep !== ''
}

/** A byte that was no UTF-8 arrives as U+FFFD: counted as one, so that nothing is ever left out. */
function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) - 2 * (line.split('\uFFFD').length - 1) + 1, 0)
}
