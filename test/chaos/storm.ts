import { setTimeout as delay } from 'node:timers/promises'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import type { Ack } from '../../src/lab/slack/socket.ts'
import { random } from '../random.ts'
import type { Asked } from './asks.ts'
import type { Bot } from './bot.ts'
import type { Cut } from './disturb.ts'
import { disturb } from './disturb.ts'
import { confirm, look } from './follow.ts'
import type { Kill } from './reaper.ts'
import { createReaper } from './reaper.ts'

export interface Storm {
  readonly slack: SlackStandIn
  readonly bot: Bot
  readonly asks: readonly Asked[]
  readonly seed: number
  readonly perSecond: number
  /** the bot is killed after so many asks, half as many more or less, again and again */
  readonly killEvery: number
  /** Told now and then how far it is. */
  readonly progress?: (sent: number, kills: number) => void
}

/** One ask, what Slack said of it at once, and what its author did next. Times are in epoch ms. */
export interface Sent {
  readonly asked: Asked
  /** ts of the mention; null for a slash command */
  readonly ts: string | null
  readonly at: number
  /** null for a mention, which Slack repeats until it is acknowledged */
  ack: Ack | null
  /** each press of Confirm */
  readonly presses: Press[]
  /** ts of a bare `raw` in the thread of a smoke; null where none was written */
  raw: string | null
}

export interface Press {
  readonly at: number
  readonly ack: Ack
}

export interface Wreck {
  readonly sent: readonly Sent[]
  readonly kills: readonly Kill[]
  readonly cuts: readonly Cut[]
  /** stops by SIGTERM that had not ended after twenty seconds */
  readonly hung: number
  readonly faults: number
}

/** Of a thousand asks so many come with something that goes wrong. */
const DISTURBED = 140
/** So long after the last ask people still press. */
const LAST_MS = 10_000
/** What Slack takes of chat.postMessage in a channel, and of chat.update over all. */
const PACE = { postsPerSecond: 1, burst: 3, updatesPerMinute: 50 }

/** Asks at a steady pace while connections, calls, envelopes and the bot itself fail; in the end all of it heals. */
export async function storm({ slack, bot, asks, seed, perSecond, killEvery, progress }: Storm): Promise<Wreck> {
  const chance = random(seed)
  const reaper = createReaper(bot, killEvery, chance)
  const { kills } = reaper
  const [sent, cuts]: [Sent[], Cut[]] = [[], []]
  const waiting: Promise<void>[] = []
  const over = new AbortController()
  let faults = 0

  slack.enforce(PACE)
  for (const asked of asks) {
    if (chance.below(1000) < DISTURBED) {
      const cut = disturb(slack, chance)
      if (cut !== null) cuts.push(cut)
      faults += 1
    }
    const { one, done } = typed(asked, slack)
    sent.push(one)
    waiting.push(done, ...next(one, slack, chance.below(3) === 0, over.signal))
    const killed = reaper.count()
    if (killed !== null) waiting.push(killed)
    progress?.(sent.length, kills.length)
    await delay(1000 / reaper.pace(perSecond))
  }
  const all = Promise.all(waiting)
  await Promise.race([all, delay(LAST_MS, undefined, { ref: false })])
  over.abort()
  await all
  slack.heal()
  return { sent, kills, cuts, hung: reaper.hung(), faults }
}

function typed(asked: Asked, slack: SlackStandIn): { readonly one: Sent; readonly done: Promise<void> } {
  const { how, text, person: as, channel } = asked
  const ts = how === 'mention' ? slack.mention(text, { as, in: channel }).ts : null
  const one: Sent = { asked, ts, at: Date.now(), ack: null, presses: [], raw: null }
  if (how === 'mention') return { one, done: Promise.resolve() }
  const done = slack.slash('/pilotflame', text, as, channel).then((ack) => {
    one.ack = ack
  })
  return { one, done }
}

/** What its author does once the answer stands. */
function next(one: Sent, slack: SlackStandIn, often: boolean, over: AbortSignal): readonly Promise<void>[] {
  if (one.asked.sort === 'restart') return [confirm(one, slack, often, over)]
  return one.asked.sort === 'smoke' && often ? [look(one, slack, over)] : []
}
