import { setTimeout as sleep } from 'node:timers/promises'
import { App } from '@slack/bolt'
import { expect, test } from 'vitest'
import type { Ask } from '../../../src/domain/ask.ts'
import { report } from '../../../src/domain/report.ts'
import { hearing } from '../../../src/surfaces/slack/hearing.ts'
import { listen } from '../../../src/surfaces/slack/listen.ts'
import { earsOf } from './delivered.ts'
import { offers, recordingLog } from './harness.ts'
import { startPair } from './pair.ts'

const small = report({ tone: 'neutral', status: 'done', title: 'Done' })

test.concurrent('while it stops: running asks end, late commands get a word, late events are left to the next process', async () => {
  const waiting = Promise.withResolvers<void>()
  await using bot = await startPair({}, async (_, talk) => {
    await waiting.promise
    await talk.end(small, offers(new Map()))
  })
  await bot.slack.slash('/smoke', 'early')
  await bot.until(() => bot.asks.length === 1)
  let stopped = false
  const stopping = bot.surface.stop().then(() => {
    stopped = true
  })
  expect(await bot.slack.slash('/smoke', 'late', 'U0BEN')).toMatchObject({ ok: true })
  const word = await bot.slack.until(() => bot.slack.messages().find(({ onlyFor }) => onlyFor === 'U0BEN'))
  expect(word.text).toContain('Pilotflame is being restarted; nothing was run. Next: ask again in 30 s.')
  expect((await bot.slack.raw(mention)).ok).toBe(false)
  expect(stopped).toBe(false)
  waiting.resolve()
  await stopping
  expect(bot.asks).toHaveLength(1)
  await bot.slack.until(() => bot.slack.connections() === 0)
  const answers = bot.slack.messages().filter(({ text }) => text.includes('Done'))
  expect(answers).toHaveLength(1)
  expect(bot.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

const mention = {
  type: 'event_callback',
  team_id: 'T0DEMO',
  event_id: 'Ev-late',
  event: { type: 'app_mention', channel: 'C0GPU', ts: '9.9', user: 'U0BEN', text: '<@U0PILOT> whoami' },
}

test.concurrent('an acknowledgement whose connection is gone does nothing but say so', async () => {
  const waiting = Promise.withResolvers<void>()
  await using bot = await startPair({}, () => waiting.promise)
  const answer = bot.slack.raw(mention)
  await bot.until(() => bot.asks.length === 1)
  bot.slack.disconnect('drop')
  await bot.slack.until(() => bot.slack.connections() === 2)
  waiting.resolve()
  const late = 'An acknowledgement came too late: its connection is gone'
  await bot.until(() => bot.log.lines.some(({ message }) => message === late))
  expect((await answer).ok).toBe(false)
  expect(bot.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test.concurrent('an event is acknowledged when it was handled, and in time also where that takes long', async () => {
  const waiting = Promise.withResolvers<void>()
  await using bot = await startPair({}, () => waiting.promise)
  const ack = await bot.slack.raw(mention)
  expect(ack).toMatchObject({ ok: true })
  expect(ack.ms).toBeGreaterThan(1_900)
  waiting.resolve()
  expect((await bot.slack.raw({ ...mention, event: { ...mention.event, ts: '9.91' } })).ms).toBeLessThan(1_000)
})

test.concurrent.each([
  [false, 1],
  [true, 0],
])(
  'a mention that Bolt still has when a drain begins (%s) is claimed, asked and acknowledged %i times',
  async (drains, times) => {
    const log = recordingLog()
    const ears = hearing({ now: () => 0, monotonic: () => 0 }, log)
    const app = new App({
      receiver: { init: ears.init, async start() {}, async stop() {} },
      token: 'xoxb-test',
      botId: 'B0',
      botUserId: 'U0PILOT',
      convoStore: false,
    })
    const held = Promise.withResolvers<void>()
    const [claims, asks, told]: [string[], Ask[], string[]] = [[], [], []]
    const claim = async ([key = '']: readonly string[]) => claims.push(key) > 0
    app.use(({ next }) => held.promise.then(next))
    const listening = listen(app, { ...earsOf(asks, told, log), botUser: 'U0PILOT', claim })
    let acks = 0
    async function acknowledge() {
      acks += 1
    }
    ears.hear({ id: 'e1', kind: 'events_api', payload: mention, retry: null, acknowledge })
    if (drains) {
      ears.drain()
      listening.drain()
    }
    held.resolve()
    await sleep(50)
    expect([claims.length, asks.length, acks]).toEqual([times, times, times])
    expect(told).toEqual([])
  },
)

test.concurrent('app_rate_limited, which has no inner event, is logged and acknowledged', async () => {
  await using bot = await startPair()
  const ack = await bot.slack.raw({ type: 'app_rate_limited', minute_rate_limited: 1 })
  expect(ack.ok).toBe(true)
  const told = { level: 'warn', message: 'Slack holds events back: too many within an hour' }
  expect(bot.log.lines).toContainEqual(expect.objectContaining(told))
})
