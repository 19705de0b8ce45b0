import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import type { Message } from '../../src/lab/slack/world.ts'
import type { Sent, Wreck } from './storm.ts'

export interface Doubled {
  readonly doubled: readonly string[]
  /** how many more there are of which no bot can know whether the first was taken */
  readonly unsure: number
}

/**
 * What was said to one ask more than once. What all see can be looked up, so nothing excuses that; a private answer cannot,
 * so after a call that broke off, or a kill in the middle of it, the choice is to say it twice or perhaps not at all.
 */
export function doubledIn(
  one: Sent,
  words: readonly Message[],
  wreck: Pick<Wreck, 'kills'>,
  slack: Pick<SlackStandIn, 'calls'>,
): Doubled {
  const answers = words.filter(({ text }) => !OF_ANOTHER.test(text))
  const pairs = one.asked.sort === 'look' ? moreThanOne(answers) : [...alike(one, answers), ...sorry(one, answers)]
  const isUnsure = ([first]: Pair) => first.onlyFor !== null && (isKilled(first, wreck) || isBroken(first, slack))
  const sure = pairs.filter((pair) => !isUnsure(pair))
  return {
    doubled: sure.map((pair) => `#${one.asked.number} ${one.asked.how} ${one.asked.text}: ${inWords(pair, wreck)}`),
    unsure: pairs.length - sure.length,
  }
}

/** Where a lock was taken its owner hears of whoever takes it off, by another ask. */
const OF_ANOTHER = /took the lock of/

/** what was there, and what says it again */
type Pair = readonly [first: Message, again: Message]

function inWords([first, again]: Pair, { kills }: Pick<Wreck, 'kills'>): string {
  const at = Number(first.ts) * 1000
  const ms = Math.round(Number(again.ts) * 1000 - at)
  const end = kills.find((kill) => kill.gone >= at)
  const killed = end === undefined ? 'no kill after it' : `a kill ${Math.round(end.at - at)} ms after it`
  const seen = ({ onlyFor, text }: Message) => `${onlyFor === null ? 'to all' : 'aside'} “${text.slice(0, 80)}”`
  return `${seen(first)}, ${ms} ms later ${seen(again)} (${killed})`
}

function moreThanOne([first, ...more]: readonly Message[]): readonly Pair[] {
  return first === undefined ? [] : more.map((again) => [first, again] as const)
}

/** The same words at one place. Two presses may be told the same. */
function alike({ presses }: Sent, answers: readonly Message[]): readonly Pair[] {
  const keys = Map.groupBy(answers, ({ thread, onlyFor, text }) => JSON.stringify([thread, onlyFor, text]))
  return [...keys.values()].flatMap((same) => {
    const most = same[0]?.onlyFor === null ? 1 : Math.max(1, presses.length)
    return moreThanOne(same).slice(most - 1)
  })
}

/** Whether somebody is told, alone or by name, that an answer or the answer to a press may be missing. */
export function isApology({ text }: Pick<Message, 'text'>): boolean {
  return text.includes(SORRY)
}

const SORRY = 'may not have answered you'

/** An apology to somebody who has an answer, or will have one, or has heard it in other words. */
function sorry({ presses }: Sent, answers: readonly Message[]): readonly Pair[] {
  const toAsk = answers.filter(
    (one) => isApology(one) && (presses.length === 0 || !one.text.includes(`${SORRY}r press`)),
  )
  const first = answers.find((answer) => !isApology(answer)) ?? toAsk[0]
  return first === undefined
    ? []
    : toAsk.filter(({ text }) => text !== first.text).map((again) => [first, again] as const)
}

/** A private answer is noted as given within this time, in ms. */
const NOTED_MS = 500
/** A call and its message are this near to each other, in ms. */
const SAME_MS = 50
/** What was done and never told. */
const BROKEN = ['lost', 'http-after', 'hang-after']

function isKilled({ ts }: Message, { kills }: Pick<Wreck, 'kills'>): boolean {
  const at = Number(ts) * 1000
  return kills.some((kill) => at <= kill.gone && at + NOTED_MS >= kill.at)
}

function isBroken({ ts, channel, onlyFor }: Message, slack: Pick<SlackStandIn, 'calls'>): boolean {
  return slack.calls().some(({ fault, args, at }) => {
    const isIts = args['channel'] === channel && args['user'] === onlyFor && Math.abs(at - Number(ts) * 1000) < SAME_MS
    return isIts && BROKEN.some((kind) => kind === fault)
  })
}
