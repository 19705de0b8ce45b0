import { expect, test } from 'vitest'
import { value } from '../../contract/store.ts'
import { changeHouse } from '../../dispatch/change-house.ts'
import type { Bot } from './harness.ts'
import { startBot } from './harness.ts'

/** A bot with a house behind it, and with the picker of a smoke that names no target. */
async function asked() {
  const house = await changeHouse({ operators: ['T0DEMO:U0ANNA'] })
  const { store } = house
  const bot = await startBot(house.house.handle, {
    button: store.button,
    refused: house.house.refused,
    clock: { now: house.now, monotonic: () => performance.now() },
    pace: async () => {},
  })
  const { slack } = bot
  slack.mention('smoke "Say hello"')
  const picker = await slack.until(() => all(bot).find(({ onlyFor, ts }) => onlyFor === null && isPicker(bot, ts)))
  const refusals = async () =>
    value(await store.audits(100))
      // the picker itself is an answer that runs nothing
      .filter(({ decision, result }) => decision === 'refused' && result !== 'needs-clarification')
      .map(({ person, result }) => `${person.id}: ${result}`)
  return { ...house, bot, slack, ts: picker.ts, refusals }
}

function all({ slack }: Bot) {
  return slack.messages().flatMap((one) => [one, ...one.replies])
}

function isPicker({ slack }: Bot, ts: string): boolean {
  return slack.buttons(ts).includes('qwen')
}

/** What one person alone was told. */
function told(bot: Bot, user: string): readonly string[] {
  return all(bot).flatMap(({ onlyFor, text }) => (onlyFor === user ? [text] : []))
}

test('whoever may not press leaves a button that works once to those who may', async () => {
  const { bot, slack, ts, refusals } = await asked()
  await using _bot = bot
  await slack.press(ts, 'qwen', 'U0GUEST')
  await slack.until(() => told(bot, 'U0GUEST').length > 0)
  expect(told(bot, 'U0GUEST')[0]).toContain('Not run:')
  await slack.press(ts, 'qwen', 'U0ANNA')
  await slack.until(() => all(bot).some(({ text }) => text.includes('works')))
  await slack.press(ts, 'qwen', 'U0BEN')
  await slack.until(() => told(bot, 'U0BEN').length > 0)
  expect(told(bot, 'U0BEN')[0]).toContain('That question was answered already; nothing was run.')
  expect(await refusals()).toEqual(['U0BEN: button used', expect.stringMatching(/^U0GUEST: /)])
})

test('what the surface refuses by itself is told to one person and leaves a line in the audit', async () => {
  const { bot, slack, ts, wait, refusals } = await asked()
  await using _bot = bot
  wait(8 * 86_400_000)
  await slack.press(ts, 'qwen', 'U0BEN')
  await slack.until(() => told(bot, 'U0BEN').length > 0)
  expect(told(bot, 'U0BEN')[0]).toContain('That button has expired; nothing was run.')
  await slack.press(ts, 'qwen', 'U0BEN')
  await expect.poll(refusals).toHaveLength(2)
  await slack.slash('/florble', 'typed words')
  await expect
    .poll(refusals)
    .toEqual(['U0ANNA: unknown slash command', 'U0BEN: pressed twice', 'U0BEN: button expired'])
})

test('where the bot may not post, a plan is shown to its asker, who can confirm it nowhere', async () => {
  const { bot, slack, box } = await asked()
  await using _bot = bot
  slack.kick('C0GPU')
  await slack.slash('/sglang', 'restart qwen')
  const plan = await slack.until(() => all(bot).find(({ text }) => text.includes('Restart qwen?')))
  expect(plan.onlyFor).toBe('U0ANNA')
  expect(told(bot, 'U0ANNA').join('\n')).toContain('/invite')
  await slack.press(plan.ts, 'Restart qwen')
  await slack.until(() => told(bot, 'U0ANNA').some((text) => text.includes('Nobody but you sees that plan')))
  expect(box.acts).toEqual([])
})
