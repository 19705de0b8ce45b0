import type { SlackOptions } from '../../../src/surfaces/slack/index.ts'
import type { Bot } from './harness.ts'
import { startBot } from './harness.ts'

/** The usual times, so short that a test need not wait. */
export const SHORT = {
  apartMs: 30,
  helloMs: 300,
  beatMs: 30,
  steadyMs: 10,
  graceMs: 100,
  firstWaitMs: 10,
  longestWaitMs: 50,
  deafMs: 100,
} as const

/** A bot with both connections, and the fewest that Slack saw since then. */
export async function startPair(
  other: Partial<SlackOptions> = {},
  answer: Parameters<typeof startBot>[0] = async () => {},
): Promise<Bot & { fewest(): number }> {
  const bot = await startBot(answer, { times: SHORT, ...other })
  await bot.slack.until(() => bot.slack.connections() === 2)
  let fewest = 2
  void bot.slack
    .until(() => {
      fewest = Math.min(fewest, bot.slack.connections())
    }, 60_000)
    .catch(() => {})
  return { ...bot, fewest: () => fewest }
}

/** A mention by Ben, as Slack delivers it under that id. */
export function mentionAt(ts: string, event_id: string) {
  const event = { type: 'app_mention', channel: 'C0GPU', ts, user: 'U0BEN', text: '<@U0PILOT> whoami' }
  return { type: 'event_callback', team_id: 'T0DEMO', event_id, event }
}
