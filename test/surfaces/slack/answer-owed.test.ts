import { expect, test } from 'vitest'
import type { OpenAsk } from '../../../src/domain/open-ask.ts'
import { report } from '../../../src/domain/report.ts'
import type { Told } from '../../../src/surfaces/slack/index.ts'
import type { Bot } from './harness.ts'
import { offers, startBot } from './harness.ts'
import { memoryLetters } from './outbox-world.ts'
import { healthy } from './reports.ts'

const running = report({ tone: 'running', status: 'running', title: 'Thinking' })
const short = report({ tone: 'neutral', status: 'done', title: 'You are anna.' })

type Answer = (talk: Parameters<Parameters<typeof startBot>[0]>[1], bot: Bot) => Promise<unknown>

/** A bot of which one can see what is settled, and who is owed a word. */
async function watched(answer: Answer, onDisk = false) {
  const settled: string[] = []
  const owed: { readonly ask: OpenAsk; readonly tell: (ask: OpenAsk) => Promise<Told> }[] = []
  const bot: Bot = await startBot((_, talk) => answer(talk, bot), {
    settle: async (keys) => void settled.push(keys[0] ?? ''),
    unanswered: (ask, tell) => void owed.push({ ask, tell }),
    letters: onDisk ? { store: memoryLetters(), keptMs: 72 * 3_600_000 } : null,
  })
  return { bot, settled, owed }
}

test('an answer that Slack took settles the ask, and nobody is owed a word', async () => {
  const { bot, settled, owed } = await watched((talk, { buttons }) => talk.end(short, offers(buttons)))
  await using _bot = bot
  await bot.slack.slash('/pilotflame', 'whoami')
  await expect.poll(() => settled.length).toBe(1)
  expect(owed).toEqual([])
})

test('one that Slack did not take does not; the word goes out when Slack is back, by itself or by the response_url', async () => {
  const { bot, settled, owed } = await watched(async (talk, { slack, buttons }) => {
    slack.outage(true)
    await talk.end(short, offers(buttons))
  })
  await using _bot = bot
  void bot.slack.slash('/pilotflame', 'whoami')
  await expect.poll(() => owed.length, { timeout: 8_000 }).toBe(1)
  expect(settled).toEqual([])
  const [one] = owed
  expect(await one?.tell(one.ask)).toBe('later')
  bot.slack.outage(false)
  expect(await one?.tell(one.ask)).toBe('told')
  bot.slack.fault('chat.postEphemeral', { kind: 'error', error: 'channel_not_found' })
  expect(await one?.tell({ ...one.ask, maybeTold: true })).toBe('told')
  const words = expect.stringContaining('Pilotflame may not have answered you')
  expect(bot.slack.messages()).toMatchObject([
    { onlyFor: 'U0ANNA', text: words },
    { onlyFor: 'U0ANNA', text: expect.stringContaining('You may have been told this already: Slack could not') },
  ])
})

test('where the bot is no member and there is no response_url, that is the last word', async () => {
  const { bot, owed } = await watched(async (talk, { slack, buttons }) => {
    for (const method of ['chat.postMessage', 'chat.postEphemeral'] as const)
      slack.fault(method, { kind: 'error', error: 'not_in_channel' }, 9)
    await talk.end(short, offers(buttons))
  })
  await using _bot = bot
  bot.slack.mention('whoami')
  await expect.poll(() => owed.length, { timeout: 8_000 }).toBe(1)
  expect(await owed[0]?.tell(owed[0].ask)).toBe('no')
})

test('an answer that was kept and then refused for good, as the whisper is: a line by name says so, and none of it', async () => {
  const { bot, settled, owed } = await watched(async (talk, { slack, buttons }) => {
    slack.fault('chat.postMessage', { kind: 'error', error: 'restricted_action' })
    slack.fault('chat.postEphemeral', { kind: 'error', error: 'user_not_in_channel' }, 9)
    await talk.end(short, offers(buttons))
  }, true)
  await using _bot = bot
  const { ts } = bot.slack.mention('whoami')
  await expect.poll(() => owed.length, { timeout: 8_000 }).toBe(1)
  expect(settled).toHaveLength(1)
  expect(await owed[0]?.tell(owed[0].ask)).toBe('told')
  const [said] = bot.slack.messages().filter(({ ts: at }) => at !== ts)
  expect(said).toMatchObject({
    onlyFor: null,
    text: expect.stringMatching(/^<@U0ANNA> Slack refused an answer, and Pilot/),
  })
  expect(JSON.stringify(bot.slack.messages())).not.toContain('You are anna')
})

test.each([
  ['a short answer', short],
  ['a verdict', healthy],
])('%s that is shown to one person alone is one, also where the word of why is refused', async (_, answer) => {
  const { bot, settled, owed } = await watched(async (talk, { slack, buttons }) => {
    if (answer === healthy) await talk.begin(running, offers(buttons))
    for (const method of ['chat.postMessage', 'chat.update'] as const)
      slack.fault(method, { kind: 'error', error: 'restricted_action' })
    slack.fault('chat.postEphemeral', { kind: 'error', error: 'user_not_in_channel' })
    await talk.end(answer, offers(buttons))
  }, true)
  await using _bot = bot
  bot.slack.mention('whoami')
  await expect.poll(() => JSON.stringify(bot.slack.messages())).toContain(answer.title)
  await bot.surface.stop()
  expect(settled).toHaveLength(1)
  expect(owed).toEqual([])
})

test('where the word of why is shown, and the answer is not, somebody is owed one', async () => {
  const { bot, owed } = await watched(async (talk, { slack, buttons }) => {
    slack.fault('chat.postMessage', { kind: 'error', error: 'restricted_action' })
    const end = talk.end(short, offers(buttons))
    await slack.until(() => slack.messages().some(({ onlyFor }) => onlyFor !== null))
    slack.fault('chat.postEphemeral', { kind: 'error', error: 'user_not_in_channel' }, 9)
    await end
  }, true)
  await using _bot = bot
  bot.slack.mention('whoami')
  await expect.poll(() => owed.length, { timeout: 8_000 }).toBe(1)
})

test('a run settles the ask where its message stands, else only with its answer', async () => {
  const begun: (readonly string[])[] = []
  const { bot, settled, owed } = await watched(async (talk, { buttons }) => {
    await talk.begin(running, offers(buttons), { id: 'run' })
    begun.push([...settled])
    await talk.end(healthy, offers(buttons))
  })
  await using _bot = bot
  bot.slack.fault('chat.postMessage', { kind: 'error', error: 'not_in_channel' })
  await bot.slack.slash('/smoke', '"Say hello"')
  await expect.poll(() => settled.length, { timeout: 8_000 }).toBe(1)
  await bot.slack.slash('/smoke', '"Say hello"')
  await expect.poll(() => begun.length).toBe(2)
  await expect.poll(() => settled.length).toBe(2)
  expect(begun.map((keys) => keys.length)).toEqual([0, 2])
  expect(owed).toEqual([])
})
