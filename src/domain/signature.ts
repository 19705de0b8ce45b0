import type { EngineKind } from './target.ts'

/** A line of a log that says something. Data, not code: the scanner finds them all in one pass. */
export interface Signature {
  /** kebab-case, unique in the house: `not-enough-memory` */
  readonly name: string
  /**
   * Literal texts of at least 6 bytes, better 8. Every line that the pattern takes holds one of them, spelled exactly so:
   * a line without an anchor is never decoded.
   */
  readonly anchors: readonly [string, ...string[]]
  /** Without flags, and without a way to run long: it is tried on a line of up to `LONGEST_LINE` characters. */
  readonly pattern: RegExp
  /** a line that it takes */
  readonly example: string
  /** a line that looks like it and is none */
  readonly nearMiss: string
}

/** A line that was found. */
export interface Sign {
  /** the signature's name */
  readonly name: string
  /** the line without its end, at most `LONGEST_LINE` characters of it */
  readonly line: string
  /** its number in the log, from 1 */
  readonly at: number
  /** what the named groups of the pattern took */
  readonly fields: Readonly<Record<string, string>>
  /** up to 5 lines that stand directly above it, oldest first */
  readonly above: readonly string[]
}

/** What was read of one log. */
export interface LogEvidence {
  readonly writer: LogWriter | null
  /** in the order of the log; of each signature the first and the last ones, `MOST_SIGNS` in all */
  readonly signs: readonly Sign[]
  /** how often each signature was found */
  readonly counts: Readonly<Record<string, number>>
  /** in all */
  readonly lines: number
  /** the last lines, for a quotation: at most 20 of them */
  readonly end: readonly string[]
  /** the longest line, where it has more than 64 KiB; only its first `LONGEST_LINE` characters were looked at */
  readonly longest?: LongLine
  /** what was left out, because the log is larger than we read */
  readonly cut: 'beginning' | 'end' | null
}

export interface LongLine {
  /** its number in the log, from 1 */
  readonly at: number
  readonly bytes: number
}

/** Who wrote a log; null where nobody says and no line shows it. */
export type LogWriter = EngineKind | 'systemd'

/** of a line, in characters; more is not looked at */
export const LONGEST_LINE = 4000

/** of one signature: so many first and so many last signs are kept */
export const SIGNS_EACH = 8

export const MOST_SIGNS = 500
