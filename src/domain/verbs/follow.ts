import type { FollowVerb } from '../verb.ts'
import type { LogLine } from './log-line.ts'
import { plainLine, readJournalLine } from './log-line.ts'

/** New lines of a unit's log as they are written. */
export const follow: FollowVerb<FollowArgs, LogLine> = {
  name: 'follow',
  access: 'read',
  deadlineMs: 610_000,
  words: (args) => [
    args.unit,
    ...['seconds', String(args.seconds)],
    ...(args.after === undefined ? [] : ['after', args.after]),
    ...(args.invocation === undefined ? [] : ['invocation', args.invocation]),
  ],
  readLine: (text) => (text.trim() === '' ? null : (readJournalLine(text) ?? plainLine(text))),
}

export interface FollowArgs {
  readonly unit: string
  /** at most 600 */
  readonly seconds: number
  /** the cursor of the last line that is known */
  readonly after?: string
  /** one run of the unit only */
  readonly invocation?: string
}
