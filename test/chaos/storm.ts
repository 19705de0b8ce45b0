import { setTimeout as delay } from 'node:timers/promises'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import { random } from '../random.ts'
import type { Asked } from './asks.ts'
import type { Bot } from './bot.ts'
import { disturb } from './disturb.ts'

export interface Storm {
  readonly slack: SlackStandIn
  readonly bot: Bot
  readonly asks: readonly Asked[]
  readonly seed: number
  readonly perSecond: number
  /** the bot is killed after so many asks, half as many more or less, again and again */
  readonly killEvery: number
}

/** One ask, and what became of it on Slack's side. */
export interface Sent {
  readonly asked: Asked
  /** ts of the mention; null for a slash command */
  readonly ts: string | null
  /** whether Slack itself showed an error, since nobody acknowledged it in time */
  failed: boolean
  /** how often its plan was confirmed */
  presses: number
}

export interface Wreck {
  readonly sent: readonly Sent[]
  readonly kills: number
  readonly faults: number
}

/** Of a thousand asks so many come with something that goes wrong. */
const DISTURBED = 130
/** Asks in a second while nobody is there. */
const IN_THE_DARK = 10

/** Asks at a steady pace while connections, calls, envelopes and the bot itself fail; in the end all of it heals. */
export async function storm({ slack, bot, asks, seed, perSecond, killEvery }: Storm): Promise<Wreck> {
  const chance = random(seed)
  const sent: Sent[] = []
  const waiting: Promise<void>[] = []
  let [kills, faults, untilKill, isUp] = [0, 0, killEvery, true]

  async function killed(): Promise<void> {
    kills += 1
    isUp = false
    await bot.kill()
    await bot.start()
    isUp = true
  }

  for (const asked of asks) {
    if (chance.below(1000) < DISTURBED) {
      disturb(slack, chance)
      faults += 1
    }
    const one = typed(asked, slack)
    sent.push(one.sent)
    waiting.push(one.done, ...(asked.sort === 'restart' ? [confirm(one.sent, slack, chance.below(3) === 0)] : []))
    untilKill -= 1
    if (untilKill <= 0 && isUp) {
      untilKill = Math.round(killEvery * (0.5 + chance.below(1000) / 1000))
      waiting.push(killed())
    }
    await delay(1000 / (isUp ? perSecond : IN_THE_DARK))
  }
  await Promise.all(waiting)
  slack.heal()
  return { sent, kills, faults }
}

function typed(asked: Asked, slack: SlackStandIn): { readonly sent: Sent; readonly done: Promise<void> } {
  const { how, text, person: as, channel } = asked
  const ts = how === 'mention' ? slack.mention(text, { as, in: channel }).ts : null
  const sent: Sent = { asked, ts, failed: false, presses: 0 }
  if (how === 'mention') return { sent, done: Promise.resolve() }
  const done = slack.slash('/pilotflame', text, as, channel).then((ack) => {
    sent.failed = !ack.ok
  })
  return { sent, done }
}

const PLAN_MS = 15_000

/** Presses the first button under the plan once it stands, sometimes twice; where no plan comes, nothing. */
async function confirm(sent: Sent, slack: SlackStandIn, twice: boolean): Promise<void> {
  const { channel, person } = sent.asked
  for (const from = performance.now(); performance.now() - from < PLAN_MS; await delay(250)) {
    const thread = slack.messages(channel).find(({ ts }) => ts === sent.ts)
    const plan = thread?.replies.find(({ ts, onlyFor }) => onlyFor === null && slack.buttons(ts).length > 0)
    if (plan === undefined) continue
    sent.presses = twice ? 2 : 1
    await Promise.all(Array.from({ length: sent.presses }, () => slack.press(plan.ts, 0, person)))
    return
  }
}
