import type { LogLine } from '../domain/verbs/log-line.ts'

/** What is known of the run that serves now. */
export interface ThisRun {
  readonly pid: number | null
  /** ms since 1970 by the host's clock */
  readonly startedMs: number | null
}

/**
 * The lines of a log file that surely belong to this run; null where no line shows where it begins. A file holds older
 * runs too. A moment counts only with its zone: a local one may be hours off. Nothing counts down to the last line from
 * before the start. Below it the first moment of this run counts, and the last line with which its process says that it
 * began: pids come again after a reboot, so an earlier one may be of another run.
 */
export function linesOfRun(lines: readonly LogLine[], { pid, startedMs }: ThisRun): readonly LogLine[] | null {
  const marks = lines.map(({ text }) => markOf((text ?? '').slice(0, LOOKED_AT), { pid, startedMs }))
  const old = marks.lastIndexOf('before')
  const [later, begun] = [marks.indexOf('after', old + 1), marks.lastIndexOf('begins')]
  const from = [later, begun].filter((at) => at > old)
  return from.length === 0 ? null : lines.slice(Math.min(...from))
}

/** What a line tells of where it belongs: by its moment, else by the process. */
function markOf(text: string, { pid, startedMs }: ThisRun): 'before' | 'after' | 'begins' | null {
  const at = momentOf(text)
  if (at !== null && startedMs !== null) return at < startedMs + SLACK_MS ? 'before' : 'after'
  const [, begun] = /\bStarted server process \[(\d{1,10})\]/.exec(text) ?? []
  return begun !== undefined && pid !== null && Number(begun) === pid ? 'begins' : null
}

/** The clocks that the start is reckoned from count whole seconds. */
const SLACK_MS = 2000

/** ms since 1970; null where there is none, or none with a zone. */
function momentOf(text: string): number | null {
  const [, moment] = ZONED.exec(text) ?? []
  const at = Date.parse((moment ?? '').replace(' ', 'T').replace(',', '.'))
  return Number.isNaN(at) ? null : at
}

/** of a line, in characters: its moment stands at its beginning */
const LOOKED_AT = 120
const ZONED = /\b(20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d))/
