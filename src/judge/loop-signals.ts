import type { Channel } from '../domain/completion.ts'
import type { Loop } from '../domain/smoke.ts'
import { endsOf } from './ends.ts'
import type { FoldedProse } from './folded-prose.ts'
import { foldedProse } from './folded-prose.ts'
import { recurringShare } from './recurring.ts'
import type { Run } from './repetition.ts'
import { periodDetector, UNIT_SHOWN } from './repetition.ts'
import { runWatch } from './run-watch.ts'
import { isTalk } from './turns.ts'

/** What each signal sees in a channel; `endless` tells that the model did not end it. Only exact periods are certain. */
export function loopsIn(channel: Channel, text: string, endless: boolean): Loop[] {
  const ends = endsOf(text).map((part) => ({ channel, ...part }))
  const sure = ends.flatMap((end) => [whiteSpace(end), exact(end)])
  const all = endless ? [...sure, ...ends.slice(-1).flatMap((end) => [unfinished(end), ...inProse(end)])] : sure
  return all.filter((loop) => loop !== null)
}

/** Prose that does not come to an end is judged by so much of its end. */
const PROSE = 16_384
const WHITE_SPACE = /(?<!\s)\s{200,}/
/** A text is read in such steps, so that a run is seen before it is left. */
const STEP = 64
/** A run that the budget ended is a loop where it has this many copies and covers this share of the text. */
const COPIES = 4
/** … and in code, rows and data where it has this many. */
const CUT_COPIES = 50
const MOST = 0.6
const RECURRING = 0.8
/** Less prose than so much of a text does not speak for it. */
const FEWEST_PROSE = 0.5
const RECURRING_IN_TURNS = 0.45

interface Stretch {
  readonly channel: Channel
  readonly text: string
  /** where it begins in the channel */
  readonly at: number
}

function whiteSpace(stretch: Stretch): Loop | null {
  const flood = WHITE_SPACE.exec(stretch.text)
  if (flood === null) return null
  const detector = periodDetector()
  detector.feed(flood[0])
  const period = detector.current()?.period ?? flood[0].length
  const run = { period, from: flood.index, length: flood[0].length }
  return loopOf(stretch, run, 'white-space')
}

/** The last run that would have ended the stream. */
function exact(stretch: Stretch): Loop | null {
  const watch = runWatch()
  let last: Run | null = null
  for (let at = 0; at < stretch.text.length; at += STEP) {
    const run = watch.read(stretch.text.slice(at, at + STEP))
    if (run !== null && watch.isLong(run)) last = run
  }
  return last && loopOf(stretch, last, 'period')
}

/** A budget ends a loop before it is long; rows and code that it cut may only look like one. */
function unfinished(stretch: Stretch): Loop | null {
  return [stretch.text, stretch.text.trimEnd()].map((text) => runToEnd({ ...stretch, text })).find(Boolean) ?? null
}

function runToEnd(stretch: Stretch): Loop | null {
  const watch = runWatch()
  const run = watch.read(stretch.text)
  if (run === null) return null
  const { period, length } = run
  const isLong = length - period >= unfinishedNeed(period)
  if (watch.layoutOf(run) !== 'prose')
    return isLong && length >= CUT_COPIES * period ? loopOf(stretch, run, 'short') : null
  if (isLong) return loopOf(stretch, run, 'period')
  return mostOf(stretch.text, run) && loopOf(stretch, run, 'short')
}

/** Measured to stay silent on prose that a budget cut. */
function unfinishedNeed(period: number): number {
  if (period <= 2) return 600
  if (period <= 8) return 480
  return Math.max(240, 4 * period)
}

function inProse(stretch: Stretch): (Loop | null)[] {
  const skipped = Math.max(0, stretch.text.length - PROSE)
  const text = stretch.text.slice(skipped)
  const end = { ...stretch, text, at: stretch.at + skipped }
  const prose = foldedProse(text)
  if (prose.share < FEWEST_PROSE) return []
  const counting = countingRun(prose)
  const circles = recurringShare(prose.text) > (isTalk(text) ? RECURRING_IN_TURNS : RECURRING)
  return [
    counting && loopOf(end, counting, 'masked'),
    circles ? loopOf(end, { period: text.length, from: 0, length: text.length }, 'recurring') : null,
  ]
}

/** "Attempt 17: …" differs in its number only. Lists count as well, and end; hence only in what did not end. Figures alone are data. */
function countingRun({ text, at }: FoldedProse): Run | null {
  const detector = periodDetector((period) => Math.max(600, 10 * period))
  const run = detector.feed(text) ?? mostOf(text, detector.current())
  if (run === null || !/\p{L}/u.test(text.slice(run.from, run.from + run.period))) return null
  const from = at[run.from] ?? 0
  const period = (at[run.from + run.period] ?? from) - from
  return { from, period, length: Math.floor(run.length / run.period) * period }
}

function mostOf(text: string, run: Run | null): Run | null {
  if (run === null || run.length / run.period < COPIES || run.length < MOST * text.length) return null
  return run
}

function loopOf({ channel, text, at }: Stretch, { period, from, length }: Run, signal: Loop['signal']): Loop {
  return {
    channel,
    unit: text.slice(from, from + Math.min(period, UNIT_SHOWN)),
    period,
    copies: Math.floor(length / period),
    from: at + from,
    certain: signal === 'period',
    signal,
  }
}
