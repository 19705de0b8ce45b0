import { readJson } from '../json.ts'
import { fromBytes } from './encoding.ts'
import { wholeNumber } from './reading.ts'

/** One line of a unit's log. A line of a plain file has nothing but its text. */
export interface LogLine {
  /** ms since 1970 */
  readonly at: number | null
  readonly pid: number | null
  /** the run of the unit that wrote it, 32 hex digits */
  readonly invocation: string | null
  /** its place in the journal, as `after` takes it */
  readonly cursor: string | null
  /** 0 emergency … 3 error, 4 warning, 6 information, 7 debug */
  readonly priority: number | null
  /** null: too long for journalctl to print */
  readonly text: string | null
}

/** Reads one line of `journalctl -o json`; null where it is none. */
export function readJournalLine(line: string): LogLine | null {
  // of a log that is a file no line is, and to fail at JSON costs more than to read it
  if (!line.startsWith('{')) return null
  const read = readJson(line)
  if (!read.ok || typeof read.value !== 'object' || read.value === null || Array.isArray(read.value)) return null
  const fields = new Map<string, unknown>(Object.entries(read.value))
  if (!fields.has('__REALTIME_TIMESTAMP') && !fields.has('__CURSOR')) return null
  const microseconds = wholeNumber(stringOf(fields.get('__REALTIME_TIMESTAMP')))
  return {
    at: microseconds === null ? null : Math.floor(microseconds / 1000),
    pid: wholeNumber(stringOf(fields.get('_PID'))),
    invocation: stringOf(fields.get('_SYSTEMD_INVOCATION_ID')) ?? null,
    cursor: packCursor(stringOf(fields.get('__CURSOR')) ?? ''),
    priority: wholeNumber(stringOf(fields.get('PRIORITY'))),
    text: textOf(fields.get('MESSAGE')),
  }
}

export function plainLine(text: string): LogLine {
  return { at: null, pid: null, invocation: null, cursor: null, priority: null, text }
}

/** `s=…;i=…;b=…;m=…;t=…;x=…` becomes one word, `S.I.B.M.T.X`; null where it is no such cursor. */
function packCursor(cursor: string): string | null {
  const hex = '([0-9a-f]{1,32})'
  const found = new RegExp(`^s=${hex};i=${hex};b=${hex};m=${hex};t=${hex};x=${hex}$`).exec(cursor)
  return found === null ? null : found.slice(1).join('.')
}

/** A message is text, the numbers of its bytes where it has controls in it, a list where it was given twice, or null. */
function textOf(message: unknown): string | null {
  if (typeof message === 'string') return message
  if (!Array.isArray(message)) return null
  const parts: readonly unknown[] = message
  const [first] = parts
  return typeof first === 'number' ? fromBytes(parts) : textOf(first)
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
