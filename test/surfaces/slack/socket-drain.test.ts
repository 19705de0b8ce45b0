import { expect, test } from 'vitest'
import { report } from '../../../src/domain/report.ts'
import { offers } from './harness.ts'
import { startPair } from './pair.ts'

const small = report({ tone: 'neutral', status: 'done', title: 'Done' })

test('while it stops: running asks end, late commands get a word, late events are left to the next process', async () => {
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

test('an acknowledgement whose connection is gone does nothing but say so', async () => {
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

test('an event is acknowledged when it was handled, and in time also where that takes long', async () => {
  const waiting = Promise.withResolvers<void>()
  await using bot = await startPair({}, () => waiting.promise)
  const ack = await bot.slack.raw(mention)
  expect(ack).toMatchObject({ ok: true })
  expect(ack.ms).toBeGreaterThan(1_900)
  waiting.resolve()
  expect((await bot.slack.raw({ ...mention, event: { ...mention.event, ts: '9.91' } })).ms).toBeLessThan(1_000)
})

test('app_rate_limited, which has no inner event, is logged and acknowledged', async () => {
  await using bot = await startPair()
  const ack = await bot.slack.raw({ type: 'app_rate_limited', minute_rate_limited: 1 })
  expect(ack.ok).toBe(true)
  const told = { level: 'warn', message: 'Slack holds events back: too many within an hour' }
  expect(bot.log.lines).toContainEqual(expect.objectContaining(told))
})
