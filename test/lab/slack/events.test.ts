import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import type { Fields } from '../../../src/lab/slack/json.ts'
import { isFields, parse } from '../../../src/lab/slack/json.ts'
import { call } from './client.ts'

const at = { now: Date.parse('2026-11-30T12:00:00Z') }
let slack: SlackStandIn

beforeEach(async () => {
  slack = await startSlack({ port: 0, clock: { now: () => at.now }, events: ['app_mention'], ackMs: 40 })
})
afterEach(() => slack.close())

/** An app that acknowledges only what `takes` says. */
async function app(takes: (envelope: Fields) => boolean) {
  const { url } = await call({ ...slack, botToken: slack.appToken }, 'apps.connections.open', {})
  const socket = new WebSocket(String(url))
  const heard: Fields[] = []
  socket.addEventListener('message', ({ data }) => {
    const envelope = parse(String(data), null)
    if (!isFields(envelope) || envelope['type'] !== 'events_api') return
    heard.push(envelope)
    if (takes(envelope)) socket.send(JSON.stringify({ envelope_id: envelope['envelope_id'] }))
  })
  await slack.until(() => slack.connections() > 0)
  return heard
}

/** Waits for as many envelopes; nothing rings when one goes out, so that it looks again. */
async function count(heard: readonly Fields[], wanted: number): Promise<void> {
  while (heard.length < wanted) await new Promise((resolve) => setImmediate(resolve))
}

const repetition = ({ retry_attempt = 0, retry_reason = null }: Fields) => [retry_attempt, retry_reason]

test('an event that nobody acknowledges is repeated at once, after a minute and after five, and then no more', async () => {
  const heard = await app(({ retry_attempt }) => retry_attempt === 3)
  slack.mention('raw')
  for (const ms of [60_000, 300_000]) {
    await slack.until(() => slack.waiting() === 1)
    const before = heard.length
    at.now += ms - 1
    slack.tick()
    expect(slack.waiting()).toBe(1)
    at.now += 1
    slack.tick()
    expect(slack.waiting()).toBe(0)
    await count(heard, before + 1)
  }
  expect(heard.map(repetition)).toEqual([
    [0, null],
    [1, 'timeout'],
    [2, 'timeout'],
    [3, 'timeout'],
  ])
  const ids = heard.map(({ payload }) => (isFields(payload) ? payload['event_id'] : null))
  expect(new Set(ids).size).toBe(1)
  expect(new Set(heard.map(({ envelope_id }) => envelope_id)).size).toBe(4)
})

test('a late event comes when the clock says so, after what was said later', async () => {
  const heard = await app(() => true)
  slack.trouble({ kind: 'late', ms: 300_000, retry: 3 })
  slack.mention('first')
  slack.mention('second')
  await count(heard, 1)
  at.now += 299_999
  slack.tick()
  expect(slack.waiting()).toBe(1)
  at.now += 1
  slack.tick()
  await count(heard, 2)
  const texts = heard.map(({ payload }) => JSON.stringify(payload).match(/first|second/)?.[0])
  expect(texts).toEqual(['second', 'first'])
  expect(heard.map(repetition)).toEqual([
    [0, null],
    [3, 'timeout'],
  ])
})
