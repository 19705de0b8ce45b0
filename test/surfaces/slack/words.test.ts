import { expect, test } from 'vitest'
import { report } from '../../../src/domain/report.ts'
import { SLASH_LIMITS, SLASH_WORDS, slashIn } from '../../../src/domain/slash.ts'
import { offers, startBot } from './harness.ts'

const OURS = { prefix: 'acme-', aliases: { llm: 'sglang', ask: 'smoke' } }

test.each([
  ['/acme-smoke', 'smoke'],
  ['/acme-pilotflame', 'pilotflame'],
  ['/acme-gpu', 'gpu'],
  ['/llm', 'sglang'],
  ['/ask', 'smoke'],
])('%s means %s', async (typed, word) => {
  await using bot = await startBot(async () => {}, { slash: slashIn(OURS) })
  await bot.slack.slash(typed, '“Say hello”')
  await bot.until(() => bot.asks.length === 1)
  expect(bot.asks[0]?.said).toEqual({ form: 'plain', word, text: '“Say hello”' })
})

test.each(['/smoke', '/pilotflame', '/acme-llm', '/acme-'])(
  '%s is none of this workspace’s words, and the answer names them',
  async (typed) => {
    await using bot = await startBot(async () => {}, { slash: slashIn(OURS) })
    await bot.slack.slash(typed, 'x')
    const message = await bot.slack.until(() => bot.slack.messages()[0])
    expect(message).toMatchObject({ onlyFor: 'U0ANNA' })
    expect(message.text).toContain(`${typed} is not one of my commands. Next: /acme-pilotflame help`)
    expect(bot.asks).toHaveLength(0)
  },
)

test('without settings the words are ours', () => {
  const { words, typed } = slashIn({ prefix: '', aliases: {} })
  expect([...words]).toEqual(SLASH_WORDS.map((word) => [word, word]))
  expect(
    ['smoke "Hi"', 'sglang use qwen', 'gpu lock box', 'help', 'retry max_tokens=8000', 'smokes'].map(typed),
  ).toEqual([
    '/smoke "Hi"',
    '/sglang use qwen',
    '/gpu lock box',
    '/pilotflame help',
    '/pilotflame retry max_tokens=8000',
    '/pilotflame smokes',
  ])
})

test('the words of a workspace are typed as they are set, and each of them is heard', () => {
  const { words, typed } = slashIn(OURS)
  expect([...words.keys()]).toEqual(['acme-smoke', 'acme-sglang', 'acme-gpu', 'acme-pilotflame', 'llm', 'ask'])
  expect([typed('smoke'), typed('whoami'), typed('pilotflame')]).toEqual([
    '/acme-smoke',
    '/acme-pilotflame whoami',
    '/acme-pilotflame',
  ])
  for (const line of ['smoke', 'help', 'sglang use', 'gpu lock']) {
    expect([...words.keys()]).toContain(typed(line).slice(1).split(' ')[0])
  }
})

test('an alias without a meaning of ours is no word', () => {
  expect([...slashIn({ prefix: '', aliases: { again: 'retry' } }).words.keys()]).toEqual([...SLASH_WORDS])
})

test('the longest prefix leaves each of our words within the 32 characters of Slack', () => {
  const longest = Math.max(
    ...[...slashIn({ prefix: 'p'.repeat(16), aliases: {} }).words.keys()].map((word) => word.length),
  )
  expect(longest).toBe(26)
  expect(longest).toBeLessThanOrEqual(SLASH_LIMITS.word)
})

test('in a channel to which the bot was not invited, a command is answered by its response_url', async () => {
  const small = report({ tone: 'neutral', status: 'done', title: 'You are T0DEMO:U0ANNA' })
  await using bot = await startBot((_, talk) => talk.end(small, offers(new Map())))
  for (const method of ['chat.postMessage', 'chat.postEphemeral'])
    bot.slack.fault(method, { kind: 'error', error: 'not_in_channel' }, 10)
  await bot.slack.slash('/pilotflame', 'whoami')
  const message = await bot.slack.until(() => bot.slack.messages()[0])
  expect(message).toMatchObject({ onlyFor: 'U0ANNA', text: 'ℹ️ You are T0DEMO:U0ANNA' })
  expect(bot.slack.calls().filter(({ method }) => method.startsWith('chat.'))).toHaveLength(0)
})
