import type { Channel } from '../domain/completion.ts'
import type { Loop, Smoke } from '../domain/smoke.ts'
import { budgetSpent } from './answer.ts'
import { endsOf } from './ends.ts'
import type { FoldedProse } from './folded-prose.ts'
import { foldedProse } from './folded-prose.ts'
import { recurringShare } from './recurring.ts'
import type { Run } from './repetition.ts'
import { periodDetector, UNIT_SHOWN } from './repetition.ts'
import { requested } from './requested.ts'
import { isStructured } from './structure.ts'
import { turns } from './turns.ts'

/**
 * The loop in an answer that has ended, found by several signals together (no single one sees all loops): exact
 * period, white space, what a short budget left of a run, counting, recurring text. Null where there is none, or where
 * the prompt asked for it. Only exact periods are certain.
 */
export function findLoop(smoke: Smoke): Loop | null {
  if (smoke.cut !== null) return smoke.cut
  const { completion } = smoke
  if (completion === null) return null
  const endless = completion.finish === null || budgetSpent(completion, smoke.request)
  const found = CHANNELS.flatMap((channel) => {
    const text = completion[channel] ?? ''
    if (text.length < SHORTEST || (!endless && isStructured(text))) return []
    return loopsIn(channel, text, endless).filter((loop) => !requested(smoke.request.prompt, loop.unit))
  })
  return found.find((loop) => loop.certain) ?? found[0] ?? null
}

const CHANNELS = ['content', 'reasoning'] as const
const SHORTEST = 40
/** Prose that does not come to an end is judged by so much of its end. */
const PROSE = 16_384
const WHITE_SPACE = /(?<!\s)\s{200,}/
/** A run that the budget ended is a loop where it has this many copies and covers this share of the text. */
const COPIES = 4
const MOST = 0.6
const RECURRING = 0.8
const RECURRING_IN_TURNS = 0.45

interface Stretch {
  readonly channel: Channel
  readonly text: string
  /** where it begins in the channel */
  readonly at: number
}

function loopsIn(channel: Channel, text: string, endless: boolean): Loop[] {
  const ends = endsOf(text).map((part) => ({ channel, ...part }))
  const sure = ends.flatMap((end) => [whiteSpace(end), exact(end)])
  const all = endless ? [...sure, ...ends.slice(-1).flatMap((end) => [short(end), ...inProse(end)])] : sure
  return all.filter((loop) => loop !== null)
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

function exact(stretch: Stretch): Loop | null {
  const run = periodDetector().feed(stretch.text)
  return run && loopOf(stretch, run, 'period')
}

/** A small budget ends a loop before it is long. */
function short(stretch: Stretch): Loop | null {
  const text = stretch.text.trimEnd()
  const run = atEnd(stretch.text) ?? (text === stretch.text ? null : atEnd(text))
  return run && loopOf(stretch, run, 'short')
}

function inProse(stretch: Stretch): (Loop | null)[] {
  const skipped = Math.max(0, stretch.text.length - PROSE)
  const text = stretch.text.slice(skipped)
  const end = { ...stretch, text, at: stretch.at + skipped }
  const prose = foldedProse(text)
  const counting = countingRun(prose)
  const circles = recurringShare(prose.text) > (turns(text) >= 3 ? RECURRING_IN_TURNS : RECURRING)
  return [
    counting && loopOf(end, counting, 'masked'),
    circles ? loopOf(end, { period: text.length, from: 0, length: text.length }, 'recurring') : null,
  ]
}

/** "Attempt 17: …" differs in its number only. Lists count as well, and end; hence only in what did not end. */
function countingRun({ text, at }: FoldedProse): Run | null {
  const detector = periodDetector((period) => Math.max(600, 10 * period))
  const run = detector.feed(text) ?? mostOf(text, detector.current())
  if (run === null) return null
  const from = at[run.from] ?? 0
  const period = (at[run.from + run.period] ?? from) - from
  return { from, period, length: Math.floor(run.length / run.period) * period }
}

function atEnd(text: string): Run | null {
  const detector = periodDetector()
  detector.feed(text)
  return mostOf(text, detector.current())
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
