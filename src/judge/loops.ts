import type { Channel } from '../domain/completion.ts'
import type { Loop, Smoke } from '../domain/smoke.ts'
import { budgetSpent } from './answer.ts'
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
/** A text that does not come to an end is judged by so much of its end. */
const LOOKED_AT = 32_768
const WHITE_SPACE = /\s{200,}/
/** A run that the budget ended is a loop where it has this many copies and covers this share of the text. */
const COPIES = 4
const MOST = 0.6
const RECURRING = 0.8
const RECURRING_IN_TURNS = 0.45

interface Stretch {
  readonly channel: Channel
  readonly text: string
}

function loopsIn(channel: Channel, text: string, endless: boolean): Loop[] {
  const whole = { channel, text }
  const sure = [whiteSpace(whole), exact(whole)]
  const all = endless ? [...sure, short(whole), ...inProse(whole)] : sure
  return all.filter((loop) => loop !== null)
}

function whiteSpace({ channel, text }: Stretch): Loop | null {
  const flood = WHITE_SPACE.exec(text)
  if (flood === null) return null
  const detector = periodDetector()
  detector.feed(flood[0])
  const period = detector.current()?.period ?? flood[0].length
  const run = { period, from: flood.index, length: flood[0].length }
  return loopOf(channel, run, flood[0].slice(0, period), 'white-space')
}

function exact({ channel, text }: Stretch): Loop | null {
  const run = periodDetector().feed(text)
  return run && loopOf(channel, run, text.slice(run.from, run.from + run.period), 'period')
}

/** A small budget ends a loop before it is long. */
function short({ channel, text }: Stretch): Loop | null {
  const run = atEnd(text) ?? atEnd(text.trimEnd())
  return run && loopOf(channel, run, text.slice(run.from, run.from + run.period), 'short')
}

function inProse({ channel, text }: Stretch): (Loop | null)[] {
  const skipped = Math.max(0, text.length - LOOKED_AT)
  const end = text.slice(skipped)
  const prose = foldedProse(end)
  const counting = countingRun(prose, skipped)
  const unit = counting === null ? '' : text.slice(counting.from, counting.from + counting.period)
  const circles = recurringShare(prose.text) > (turns(end) >= 3 ? RECURRING_IN_TURNS : RECURRING)
  return [
    counting && loopOf(channel, counting, unit, 'masked'),
    circles ? loopOf(channel, { period: end.length, from: skipped, length: end.length }, end, 'recurring') : null,
  ]
}

/** "Attempt 17: …" differs in its number only. Lists count as well, and end; hence only in what did not end. */
function countingRun({ text, at }: FoldedProse, skipped: number): Run | null {
  const run = periodDetector((period) => Math.max(600, 10 * period)).feed(text) ?? atEnd(text)
  if (run === null) return null
  const from = at[run.from] ?? 0
  const period = (at[run.from + run.period] ?? from) - from
  return { from: skipped + from, period, length: Math.floor(run.length / run.period) * period }
}

function atEnd(text: string): Run | null {
  const detector = periodDetector()
  detector.feed(text)
  const run = detector.current()
  if (run === null || run.length / run.period < COPIES || run.length < MOST * text.length) return null
  return run
}

function loopOf(channel: Channel, run: Run, unit: string, signal: Loop['signal']): Loop {
  const { period, from, length } = run
  const copies = Math.floor(length / period)
  return { channel, unit: unit.slice(0, UNIT_SHOWN), period, copies, from, certain: signal === 'period', signal }
}
