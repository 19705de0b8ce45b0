import { setTimeout as delay } from 'node:timers/promises'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import type { Message } from '../../src/lab/slack/world.ts'
import type { Sent } from './storm.ts'

/** A plan stands for a minute; whoever waits for its button does so no longer. */
const PATIENCE_MS = 50_000
const LOOK_MS = 500
/** Where the button still stands and nobody has said anything, it is pressed again after so long. */
const AGAIN_MS = 3_000
const MOST_PRESSES = 6

/** Presses the first button under the plan once it stands, `often`: twice at once; and again while it stands and nothing is said. */
export async function confirm(one: Sent, slack: SlackStandIn, often: boolean, over: AbortSignal): Promise<void> {
  const { person } = one.asked
  for (const from = performance.now(); isPatient(from, over); await delay(LOOK_MS)) {
    const [plan, ...later] = answersTo(one, slack)
    if (plan === undefined) continue
    const stands = plan.onlyFor === null && later.length === 0 && isPlan(plan, slack)
    if (!stands || one.presses.length >= MOST_PRESSES) return
    const press = async () => {
      const at = Date.now()
      one.presses.push({ at, ack: await slack.press(plan.ts, 0, person) })
    }
    await Promise.all(often && one.presses.length === 0 ? [press(), press()] : [press()])
    await delay(AGAIN_MS)
  }
}

/** Whether a plan still waits for its press: only such a message has a button for nothing else but that. */
export function isPlan({ ts }: Message, slack: SlackStandIn): boolean {
  const [first] = slack.buttons(ts)
  return first === 'Confirm' || slack.buttons(ts).includes('Cancel')
}

/**
 * Asks for the exact words of a smoke, without a mention, once its details stand. Beside a message that still lives, or one
 * that a restart ended, such a word is talk among people, and nobody answers it.
 */
export async function look(one: Sent, slack: SlackStandIn, over: AbortSignal): Promise<void> {
  const { person: as } = one.asked
  for (const from = performance.now(); isPatient(from, over); await delay(LOOK_MS)) {
    const answers = answersTo(one, slack)
    const hasEnded = answers.some(({ text }) => text.includes('Healthy'))
    const detail = answers.find(({ thread, text }) => thread !== null && !text.includes('Healthy'))
    if (!hasEnded || detail === undefined || detail.thread === null) continue
    one.raw = slack.reply('raw', { thread: detail.thread, as }).ts
    return
  }
}

function isPatient(from: number, over: AbortSignal): boolean {
  return !over.aborted && performance.now() - from < PATIENCE_MS
}

/** What the bot said to an ask: nobody else asks there, and what else stands in its channel is another's. */
export function answersTo({ asked, ts }: Sent, slack: SlackStandIn): readonly Message[] {
  const all = slack.messages(asked.channel).flatMap(({ replies, ...first }) => [first, ...replies])
  return all.filter((one) => one.user === slack.botUser && belongs(one))

  function belongs({ onlyFor, thread, text }: Message): boolean {
    if (onlyFor !== null) return onlyFor === asked.person
    return isAlone(asked.channel) || (ts !== null && thread === ts) || text.startsWith(`<@${asked.person}> `)
  }
}

function isAlone(channel: string): boolean {
  return channel.startsWith('C0CHAOSR')
}
