import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Letters } from '../../../src/domain/letter.ts'
import { report } from '../../../src/domain/report.ts'
import { slackSurface } from '../../../src/surfaces/slack/index.ts'
import type { Bot } from './harness.ts'
import { house, offers, recordingLog, startBot } from './harness.ts'
import { memoryLetters } from './outbox-world.ts'
import { healthy } from './reports.ts'

const KEPT_MS = 72 * 3_600_000
const running = report({ tone: 'running', status: 'running', title: 'Restart qwen: under way' })
const short = report({ tone: 'neutral', status: 'done', title: 'You are anna.' })
const question = report({
  tone: 'warning',
  status: 'done',
  title: 'Restart qwen?',
  seenBy: 'channel',
  actions: [{ label: 'Restart', style: 'danger', line: 'go', holdsPrompt: false }],
})

const texts = ({ slack }: Bot) => slack.messages().map(({ text }) => text)

test.concurrent('what takes over a pressed message is never on disk: after a crash nothing says that it is under way', async () => {
  const store = memoryLetters()
  const begun = Promise.withResolvers<void>()
  await using bot = await startBot(
    async (ask, talk) => {
      if (ask.how !== 'button') {
        await talk.end(question, offers(bot.buttons))
        return
      }
      bot.slack.fault('chat.update', { kind: 'http', status: 503 }, 1_000)
      await talk.begin(running, offers(bot.buttons), { over: 'pressed' })
      begun.resolve()
      await new Promise(() => {})
    },
    { letters: { store, keptMs: KEPT_MS } },
  )
  await bot.slack.slash('/smoke', 'x')
  const { ts } = await bot.slack.until(() => bot.slack.messages().find(({ text }) => text.includes('Restart qwen?')))
  void bot.slack.press(ts, 'Restart')
  await bot.slack.until(() => bot.slack.calls().some(({ method }) => method === 'chat.update'))
  expect([...store.rows.values()]).toEqual([])
  await begun.promise
  expect([...store.rows.values()]).toEqual([])
  // the process that comes after this one
  bot.slack.heal()
  const next = slackSurface({
    ...house(bot.slack, recordingLog()),
    letters: { store, keptMs: KEPT_MS },
    handle: async () => {},
  })
  await next.start()
  const told = report({ tone: 'warning', status: 'inconclusive', title: 'Could not tell.' })
  expect(await next.amend({ channel: 'C0GPU', ts }, told)).toBe('told')
  await next.stop()
  expect(texts(bot)).toEqual(['⚠️ Could not tell.'])
}, 20_000)

test.concurrent('an answer that was lost at a stop, and kept nowhere, does not count as given', async () => {
  const said: string[] = []
  const bot = await startBot(async (_, talk) => {
    await talk.begin(running, offers(bot.buttons))
    bot.slack.fault('chat.update', { kind: 'http', status: 503 }, 1_000)
    await talk.end(healthy, offers(bot.buttons), async () => void said.push('kept'))
  })
  bot.slack.mention('smoke hello')
  await bot.slack.until(() => bot.slack.calls().some(({ method }) => method === 'chat.update'))
  await bot.surface.stop()
  expect(said).toEqual([])
  expect(bot.slack.messages()[0]?.replies.map(({ text }) => text)).toEqual(['⏳ Restart qwen: under way'])
  await bot.slack.close()
}, 30_000)

test.concurrent.each([
  ['taken', 0],
  ['lost', 9],
])('a private answer counts as given where Slack took it (%s)', async (_, faults) => {
  const said: string[] = []
  const ended = Promise.withResolvers<void>()
  await using bot = await startBot(async (__, talk) => {
    bot.slack.fault('chat.postMessage', { kind: 'error', error: 'is_archived' }, 9)
    if (faults > 0) bot.slack.fault('chat.postEphemeral', { kind: 'http', status: 500 }, faults)
    await talk.end(short, offers(bot.buttons), async () => void said.push('kept'))
    ended.resolve()
  })
  bot.slack.mention('whoami')
  await ended.promise
  expect(said).toEqual(faults === 0 ? ['kept'] : [])
})

test.concurrent.each([
  ['taken', false],
  ['lost', true],
])('so does a short answer to a slash command (%s)', async (_, outage) => {
  const said: string[] = []
  const ended = Promise.withResolvers<void>()
  await using bot = await startBot(async (__, talk) => {
    bot.slack.outage(outage)
    await talk.end(short, offers(bot.buttons), async () => void said.push('kept'))
    bot.slack.outage(false)
    ended.resolve()
  })
  void bot.slack.slash('/pilotflame', 'whoami')
  await ended.promise
  expect(said).toEqual(outage ? [] : ['kept'])
})

test.concurrent('a stop waits for no private answer that Slack holds up', async () => {
  const said: string[] = []
  const bot = await startBot((_, talk) => talk.end(short, offers(bot.buttons), async () => void said.push('kept')))
  bot.slack.fault('chat.postMessage', { kind: 'error', error: 'is_archived' }, 9)
  bot.slack.fault('chat.postEphemeral', { kind: 'rate-limited', retryAfter: 45 }, 9)
  bot.slack.mention('whoami')
  await bot.slack.until(() => bot.slack.calls().some(({ method }) => method === 'chat.postEphemeral'))
  // it waits for the 45 s by now
  await delay(100)
  const from = performance.now()
  await bot.surface.stop()
  const ms = performance.now() - from
  console.log(`a stop while Slack holds up a private answer for 45 s: ${Math.round(ms)} ms`)
  expect(ms).toBeLessThan(5_000)
  expect(said).toEqual([])
  await bot.slack.close()
}, 60_000)

test.concurrent('what waits is taken up before anybody is heard', async () => {
  const store = memoryLetters()
  await using bot = await startBot(async () => {})
  const sockets = () => bot.slack.calls().filter(({ method }) => method === 'apps.connections.open').length
  const before = sockets()
  const whenRead: number[] = []
  const letters: Letters = {
    ...store,
    letters() {
      whenRead.push(sockets())
      return store.letters()
    },
  }
  const next = slackSurface({
    ...house(bot.slack, recordingLog()),
    letters: { store: letters, keptMs: KEPT_MS },
    handle: async () => {},
  })
  await next.start()
  expect([whenRead, sockets() > before]).toEqual([[before], true])
  await next.stop()
})
