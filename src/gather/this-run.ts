import type { LogLine } from '../domain/verbs/log-line.ts'

/** What is known of the run that serves now. */
export interface ThisRun {
  readonly pid: number | null
  /** ms since 1970 by the host's clock */
  readonly startedMs: number | null
}

/**
 * The lines of a log file that surely belong to this run; null where no line shows where it begins. A file holds older
 * runs too. A moment counts only with its zone: a local one may be hours off. Else the first line that names the process
 * counts; what stands above it may be of the run before.
 */
export function linesOfRun(lines: readonly LogLine[], { pid, startedMs }: ThisRun): readonly LogLine[] | null {
  const from = lines.findIndex(({ text }) => text !== null && (isAfter(text, startedMs) || namesProcess(text, pid)))
  return from === -1 ? null : lines.slice(from)
}

/** The clocks that the start is reckoned from count whole seconds. */
const SLACK_MS = 2000

function isAfter(text: string, startedMs: number | null): boolean {
  const [, moment] = ZONED.exec(text.slice(0, LOOKED_AT)) ?? []
  if (moment === undefined || startedMs === null) return false
  const at = Date.parse(moment.replace(' ', 'T').replace(',', '.'))
  return !Number.isNaN(at) && at >= startedMs + SLACK_MS
}

/** of a line, in characters: its moment stands at its beginning */
const LOOKED_AT = 120
const ZONED = /\b(20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d))/

/** `INFO:     Started server process [4711]`, `(APIServer pid=4711)` */
function namesProcess(text: string, pid: number | null): boolean {
  const [, named] = /(?:\bprocess \[|\bpid[=: ]\s?)(\d{1,10})\b/.exec(text.slice(0, LOOKED_AT)) ?? []
  return named !== undefined && pid !== null && Number(named) === pid
}
