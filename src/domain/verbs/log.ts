import type { GateReply, GateSection } from '../gate.ts'
import { LARGEST_SECTION, sectionOf } from '../gate.ts'
import type { Verb } from '../verb.ts'
import { toBase64Url } from './encoding.ts'
import type { LogFile } from './log-file.ts'
import { linesOfFile, readLogFile } from './log-file.ts'
import type { LogLine } from './log-line.ts'
import { plainLine, readJournalLine } from './log-line.ts'
import { sieveOf, sievesAll } from './log-sieve.ts'
import { linesOf, MOST_ENTRIES, READ_DEADLINE_MS, readSection } from './reading.ts'
import { answerOf } from './tool-failure.ts'

/**
 * The last lines of a unit's log, or the first ones behind `after` or `offset`; oldest first. From the journal or, where
 * the host's list of units says so, from a file.
 */
export const log: Verb<LogArgs, LogReading> = {
  name: 'log',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words(args) {
    const sieve = sieveOf(args.grep ?? '')
    return [
      args.unit,
      ...['lines', String(Math.min(wanted(args), MOST_ENTRIES))],
      ...(args.since === undefined ? [] : ['since', String(args.since)]),
      ...(args.invocation === undefined ? [] : ['invocation', args.invocation]),
      ...(args.after === undefined ? [] : ['after', args.after]),
      ...(args.offset === undefined ? [] : ['offset', String(args.offset)]),
      ...(sieve === '' ? [] : ['grep', toBase64Url(sieve)]),
    ]
  },
  parse: (reply, args) =>
    readSection(reply, 'log', (section) => {
      const reading = readingOf(reply, section, args)
      return answerOf(reading.file === null ? 'journalctl' : 'the log file', section, reading)
    }),
}

export interface LogArgs {
  readonly unit: string
  /** 1 to 5000 */
  readonly lines: number
  /** seconds since 1970 */
  readonly since?: number
  /** one run of the unit only */
  readonly invocation?: string
  /** the cursor of the last line that is known */
  readonly after?: string
  /** of a log file: where to begin, in bytes */
  readonly offset?: number
  /** a fixed text that the lines must hold */
  readonly grep?: string
}

export interface LogReading {
  readonly lines: readonly LogLine[]
  /** lines that were no journal entries: what journalctl itself had to say, such as whose lines it may not show */
  readonly notes: readonly string[]
  /** which lines did not fit the answer; newer ones follow `after` the last one, or at the file's `next` */
  readonly cut: 'older' | 'newer' | null
  /** null: it came from the journal */
  readonly file: LogFile | null
}

/** Where the host cannot sift exactly, more has to come. */
function wanted({ lines, grep = '' }: LogArgs): number {
  return sievesAll(grep) ? lines : MOST_ENTRIES
}

function readingOf(reply: GateReply, section: GateSection, args: LogArgs): LogReading {
  const { grep = '' } = args
  const file = readLogFile(sectionOf(reply, 'file'), section, args)
  const cut = cutOf(section, args)
  const came = (file === null ? entriesOf(section) : linesOfFile(section, args)).slice(cut === 'older' ? 1 : 0)
  const read = came.map((line) => (file === null ? (readJournalLine(line) ?? line) : plainLine(line)))
  const all = read.filter((one) => typeof one !== 'string')
  const notes = read.filter((one) => typeof one === 'string')
  const found = all.filter(({ text }) => text?.includes(grep) ?? grep === '')
  const lines = isEnd(args) ? found.slice(-args.lines) : found.slice(0, args.lines)
  return { lines, notes, cut, file }
}

/** Older journalctl prints `-- No entries --` even among JSON. */
function entriesOf(section: GateSection): readonly string[] {
  return linesOf(section).filter((line) => !line.startsWith('-- '))
}

/** Where nothing says from where to go on, the gate sends the end and cuts the beginning, in the middle of a line. */
function cutOf({ truncated, text }: GateSection, args: LogArgs): LogReading['cut'] {
  if (truncated) return 'newer'
  return isEnd(args) && Buffer.byteLength(text) >= LARGEST_SECTION ? 'older' : null
}

function isEnd({ after, offset }: LogArgs): boolean {
  return after === undefined && offset === undefined
}
