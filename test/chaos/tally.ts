import type { Threaded } from '../../src/lab/slack/hands.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import type { Message } from '../../src/lab/slack/world.ts'
import type { Bot } from './bot.ts'
import type { Sent, Wreck } from './storm.ts'

/** What a storm left behind. */
export interface Tally {
  readonly asks: number
  readonly kills: number
  readonly faults: number
  /** commands of which Slack itself told their author that nobody acknowledged them */
  readonly failed: number
  /** asks that nobody answered, and of which Slack told nobody */
  readonly unanswered: readonly string[]
  /** messages that stand twice at one place */
  readonly doubled: readonly string[]
  /** messages that say something still runs */
  readonly unended: readonly string[]
  readonly confirmed: number
  readonly deeds: number
  /** changes that were made twice */
  readonly twice: readonly string[]
}

export async function tally({ sent, kills, faults }: Wreck, slack: SlackStandIn, bot: Bot): Promise<Tally> {
  const threads = new Map(slack.channels.map(({ id }) => [id, slack.messages(id)]))
  const all = [...threads.values()].flat().flatMap(({ replies, ...first }) => [first, ...replies])
  const own = all.filter(({ user }) => user === slack.botUser)
  const lost = sent.filter((one) => !one.failed && !isAnswered(one, threads.get(one.asked.channel) ?? [], slack))
  const deeds = await bot.deeds()
  return {
    asks: sent.length,
    kills,
    faults,
    failed: sent.filter(({ failed }) => failed).length,
    unanswered: lost.map(({ asked: { number, how, text } }) => `#${number} ${how} ${text}`),
    doubled: repeated(
      own.map(({ channel, thread, onlyFor, text }) => JSON.stringify([channel, thread, onlyFor, text])),
    ),
    unended: own.filter(({ ts }) => slack.buttons(ts).includes('Stop')).map(({ text }) => text),
    confirmed: sent.filter(({ presses }) => presses > 0).length,
    deeds: deeds.length,
    twice: repeated(deeds),
  }
}

/** In a thread every word of the bot is an answer; in a channel what its author alone sees, or a smoke. */
function isAnswered({ asked, ts }: Sent, threads: readonly Threaded[], { botUser }: SlackStandIn): boolean {
  const replied = threads.some((one) => one.ts === ts && one.replies.some(({ user }) => user === botUser))
  return replied || threads.some(({ user, onlyFor }) => user === botUser && belongs(onlyFor, asked))
}

function belongs(onlyFor: Message['onlyFor'], { person, sort }: Sent['asked']): boolean {
  return onlyFor === person || (onlyFor === null && sort === 'smoke')
}

function repeated(values: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return values.filter((value) => seen.has(value) || !seen.add(value))
}

/** `2,000 asks, 20 kills, 250 faults: 0 unanswered, …` */
export function inWords(name: string, one: Tally): string {
  const [asked, bad] = [`${one.asks} asks, ${one.kills} kills, ${one.faults} faults`, `${one.failed} refused by Slack`]
  const left = `${one.unanswered.length} unanswered, ${one.doubled.length} doubled, ${one.unended.length} unended`
  const done = `${one.confirmed} plans confirmed, ${one.deeds} changes, ${one.twice.length} of them twice`
  return `${name}: ${asked}: ${left} (${bad}); ${done}`
}
