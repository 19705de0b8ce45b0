import { expect, test } from 'vitest'
import type { CheckResult } from '../../../src/domain/check.ts'
import type { Bot } from './harness.ts'
import { startBot } from './harness.ts'

/** What was asked, after a mention at the end has come: events arrive in their order. */
async function heard(bot: Bot): Promise<readonly string[]> {
  const first = bot.slack.mention('smoke')
  bot.slack.reply('raw', { thread: first.ts })
  bot.slack.mention('raw', { thread: first.ts })
  await bot.until(() => bot.asks.filter(({ how }) => how === 'mention').length === 2)
  return bot.asks.map(({ how }) => how)
}

const nothing = async () => {}

test('replies without mention are heard where nothing else is set', async () => {
  await using bot = await startBot(nothing)
  expect(await heard(bot)).toEqual(['mention', 'thread', 'mention'])
})

test('mentions_only: a reply without mention is not heard, even where Slack delivers it; a mention is, once', async () => {
  await using bot = await startBot(nothing, { mentionsOnly: true })
  expect(await heard(bot)).toEqual(['mention', 'mention'])
})

test('mentions_only: slash commands and presses are heard as ever', async () => {
  await using bot = await startBot(nothing, { mentionsOnly: true })
  await bot.slack.slash('/smoke', 'hi')
  await bot.until(() => bot.asks.length === 1)
  expect(bot.asks[0]?.how).toBe('slash')
})

test('mentions_only: no scope is missed that only bare replies need, and doctor tells the mode', async () => {
  await using bot = await startBot(nothing, { mentionsOnly: true })
  expect(await checked(bot)).toMatchObject({
    'Slack: bot token': { state: 'ok', saw: expect.stringMatching(/, all scopes$/) },
    'Slack: hears': {
      state: 'ok',
      saw: 'slash commands and mentions; a reply in a thread needs a mention (slack.mentions_only)',
    },
  })
  expect(bot.log.lines.filter(({ level }) => level === 'warn')).toEqual([])
  const calls = new Set(bot.slack.calls().map(({ method }) => method))
  expect([...calls].filter((method) => /history|replies/.test(method))).toEqual([])
})

async function checked({ surface }: Bot): Promise<Record<string, CheckResult>> {
  const all = surface.checks.map(async ({ name, run }) => [name, await run(AbortSignal.timeout(5_000))] as const)
  return Object.fromEntries(await Promise.all(all))
}
