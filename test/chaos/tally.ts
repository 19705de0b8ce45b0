import type { Abandoned } from '../../src/lab/slack/events.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import type { Message } from '../../src/lab/slack/world.ts'
import { nameOf } from './asks.ts'
import type { Bot } from './bot.ts'
import { doubledIn, isApology } from './doubled.ts'
import { fatesIn } from './fates.ts'
import { answersTo, isPlan } from './follow.ts'
import { IN_THE_DARK } from './reaper.ts'
import type { Sent, Wreck } from './storm.ts'

/** What a storm left behind. */
export interface Tally {
  readonly asks: number
  readonly kills: number
  readonly faults: number
  /** stops by SIGTERM that did not end */
  readonly hung: number
  /** commands and presses of which Slack itself told their author that nobody was connected, since the bot was dead */
  readonly dark: number
  /** the same, since Slack had just ended the only connection */
  readonly cut: number
  /** those that were under way when the bot was killed or a connection ended without a word, and failed too */
  readonly lost: number
  /** connections that Slack ended */
  readonly cuts: number
  /** asks and presses to which nobody said anything, and those that a connected bot let run out */
  /** mentions that Slack gave up, after four tries of which each fell into a kill or a cut */
  readonly abandoned: number
  readonly unanswered: readonly string[]
  /** how often somebody asked for the exact words of a smoke that had ended */
  readonly raws: number
  /** answers that stand twice */
  readonly doubled: readonly string[]
  /** those of which no bot can know whether the first was taken: private ones, which nobody can look up */
  readonly unsure: number
  /** messages that say that somebody may have got no answer */
  readonly apologies: number
  /** messages that say something still runs, and verdicts without their details */
  readonly unended: readonly string[]
  /** messages that say of a change what is not so */
  readonly untrue: readonly string[]
  /** plans of which a press was heard */
  readonly confirmed: number
  readonly deeds: number
  /** changes beyond the one that a confirmed plan is good for */
  readonly twice: readonly string[]
}

export async function tally(wreck: Wreck, slack: SlackStandIn, bot: Bot): Promise<Tally> {
  const { sent, kills, cuts, faults, hung } = wreck
  const deeds = await bot.deeds()
  const fates = fatesIn(wreck)
  const told = sent.map((one) => ({ one, answers: answersTo(one, slack) }))
  const doubled = told.map(({ one, answers }) => doubledIn(one, answers, wreck, slack))
  const isGivenUp = givenUp(slack.abandoned(), fates)
  const acks = sent.flatMap((one) => [{ at: one.at, ack: one.ack }, ...one.presses])
  return {
    asks: sent.length,
    kills: kills.length,
    faults,
    hung,
    dark: acks.filter((one) => fates(one) === 'dark').length,
    cut: acks.filter((one) => fates(one) === 'cut').length,
    lost: acks.filter((one) => fates(one) === 'lost').length,
    cuts: cuts.length,
    abandoned: told.filter(({ one, answers }) => answers.length === 0 && isGivenUp(one)).length,
    unanswered: told.flatMap(({ one, answers }) => [
      ...(fates(one) === 'ignored' ? [`${named(one)}: never acknowledged ${near(one, wreck)}`] : []),
      ...(fates(one) === 'heard' && answers.length === 0 && !isGivenUp(one) ? [named(one)] : []),
      ...one.presses.flatMap((press, at) => {
        const fate = fates(press)
        if (fate === 'ignored') return [`${named(one)}: press ${at} never acknowledged`]
        return fate === 'heard' && !isPressAnswered(answers, press.at, slack) ? [`${named(one)}: press ${at}`] : []
      }),
      ...(one.raw !== null && !answers.some(({ ts }) => ts > String(one.raw))
        ? [`${named(one)}: raw ${near({ at: Number(one.raw) * 1000, ack: null }, wreck)}`]
        : []),
    ]),
    raws: sent.filter(({ raw }) => raw !== null).length,
    doubled: doubled.flatMap((one) => one.doubled),
    unsure: doubled.reduce((sum, one) => sum + one.unsure, 0),
    apologies: told.reduce((sum, { answers }) => sum + answers.filter(isApology).length, 0),
    unended: told.flatMap(({ one, answers }) => [
      ...answers.filter((answer) => isRunning(answer, slack)).map(({ text }) => `${named(one)}: ${text}`),
      ...(lacksDetails(answers) ? [`${named(one)}: a verdict without its details`] : []),
    ]),
    untrue: told.flatMap(({ one, answers }) => {
      const says = saysDone(answers)
      const isSo = deeds.includes(nameOf(one.asked.number))
      return says === null || says === isSo ? [] : [`${named(one)}: ${isSo ? 'done' : 'not done'}, and told otherwise`]
    }),
    confirmed: sent.filter(({ presses }) => presses.some((press) => fates(press) === 'heard')).length,
    deeds: deeds.length,
    twice: beyond(deeds, sent),
  }
}

/** Whether each try of a mention fell into a kill or a cut. */
function givenUp(abandoned: readonly Abandoned[], fates: ReturnType<typeof fatesIn>): (one: Sent) => boolean {
  const byTs = Map.groupBy(abandoned, ({ ts }) => ts)
  return ({ ts }) => {
    const events = ts === null ? [] : (byTs.get(ts) ?? [])
    return events.length > 0 && events.every(({ tries }) => tries.every((one) => fates(one) !== 'ignored'))
  }
}

function named({ asked: { number, how, text } }: Sent): string {
  return `#${number} ${how} ${text}`
}

/** Its message says what became of it, or its author was told aside. That nobody pressed is no answer to a press. */
function isPressAnswered(answers: readonly Message[], at: number, slack: SlackStandIn): boolean {
  const [plan] = answers
  if (answers.some(({ ts }) => Number(ts) * 1000 >= at)) return true
  return plan !== undefined && !isPlan(plan, slack) && !plan.text.includes('nobody confirmed')
}

function isRunning({ ts, text }: Message, slack: SlackStandIn): boolean {
  return /^⏳|: under way\b/.test(text) || slack.buttons(ts).includes('Stop')
}

function lacksDetails(answers: readonly Message[]): boolean {
  const isVerdict = answers.some(({ text }) => /\bHealthy\b|\d of \d healthy/.test(text))
  return isVerdict && answers.filter(({ onlyFor }) => onlyFor === null).length < 2
}

/** What the message of a plan says of its change; null where it says that it does not know, or nothing yet. */
function saysDone(answers: readonly Message[]): boolean | null {
  const [plan] = answers
  if (plan === undefined || !plan.text.includes('estart')) return null
  if (/ took it\b|\bof unit-\d+: done/.test(plan.text)) return true
  return /nothing was done|not done/i.test(plan.text) ? false : null
}

/** Each change is tied to the ask whose reason it was given. */
function beyond(deeds: readonly string[], sent: readonly Sent[]): readonly string[] {
  const left = new Set(sent.flatMap(({ asked, presses }) => (presses.length > 0 ? [nameOf(asked.number)] : [])))
  return deeds.filter((deed) => !left.delete(deed))
}

/** A kill may catch so many private answers that are not noted yet. */
const CAUGHT = 4
/** Commands and presses that a kill may catch under way, on the average: so many come while one is acknowledged. A cut: one. */
const LOST = 2
/** A bot may be away for so long at a kill, on the average; meanwhile people ask `IN_THE_DARK` times a second. */
const RESTART_S = 2.5
/** Where the only connection goes silent nobody is there until the next kill: so many asks, on the average over all cuts. */
const MISSED = 50

/** Four tries that all fall into a kill or a cut are rare, and come in heaps: what waits is repeated all at once. Of all asks. */
const ABANDONED = 0.01

/** Everything that must not be, in words. */
export function faultsOf(tally: Tally): readonly string[] {
  const { unanswered, doubled, unended, untrue, twice, hung, asks, kills, cuts, dark, cut, lost, unsure } = tally
  const { abandoned } = tally
  const lists = Object.entries({ unanswered, doubled, unended, untrue, 'beyond its plan': twice })
  const told = lists.flatMap(([what, list]) => list.map((one) => `${what}: ${one}`))
  return [
    ...told,
    ...(abandoned > ABANDONED * asks ? [`${abandoned} mentions were given up by Slack, of ${asks} asks`] : []),
    ...(hung > 0 ? [`${hung} stops did not end`] : []),
    ...(dark > kills * RESTART_S * IN_THE_DARK ? [`${dark} commands and presses found nobody, in ${kills} kills`] : []),
    ...(cut > MISSED * cuts ? [`${cut} commands and presses found nobody, after ${cuts} cuts`] : []),
    ...(lost > LOST * kills + cuts
      ? [`${lost} commands and presses were lost under way, in ${kills} kills and ${cuts} cuts`]
      : []),
    ...(unsure > CAUGHT * kills ? [`${unsure} private answers are perhaps repeated, in ${kills} kills`] : []),
  ]
}

/** `2,000 asks, 20 kills, 250 faults: 0 unanswered, …` */
export function inWords(name: string, one: Tally): string {
  const [asked, bad] = [`${one.asks} asks, ${one.kills} kills, ${one.faults} faults`, `${one.hung} stops hung`]
  const left = `${one.unanswered.length} unanswered, ${one.doubled.length} doubled (${one.unsure} more unsure), ${one.unended.length} unended, ${one.untrue.length} untrue`
  const slack = `Slack refused ${one.dark} in the dark, ${one.cut} after ${one.cuts} cuts and ${one.lost} under way, gave up ${one.abandoned} mentions, ${bad}, ${one.apologies} apologies`
  const done = `${one.raws} raw, ${one.confirmed} plans confirmed, ${one.deeds} changes, ${one.twice.length} beyond their plan`
  return `${name}: ${asked}: ${left}; ${slack}; ${done}`
}

/** Where in the storm it was, in ms: for whoever looks for the cause. */
function near({ at, ack }: Pick<Sent, 'at' | 'ack'>, { kills, cuts }: Wreck): string {
  const back = kills.findLast((kill) => kill.at <= at)
  const next = kills.find((kill) => kill.at > at)
  const cut = cuts.findLast((one) => one.at <= at)
  const since = (one: number | undefined) => (one === undefined ? 'never' : String(at - one))
  const error = ack !== null && !ack.ok ? ack.error : 'no error'
  return `(${error}; ms since a start ${since(back?.back)}, to the next end ${next === undefined ? 'none' : next.at - at}, since the cut ${cut?.how ?? ''} ${since(cut?.at)})`
}
