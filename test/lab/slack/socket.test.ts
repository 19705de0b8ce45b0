import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import { call, listen, payloadOf } from './client.ts'

const MINUTE = 60_000
const at = { now: Date.parse('2026-11-30T12:00:00Z') }
let slack: SlackStandIn

beforeEach(async () => {
  slack = await startSlack({ port: 0, clock: { now: () => at.now } })
})
afterEach(() => slack.close())

test('hello comes first, and each envelope goes to one connection', async () => {
  const first = await listen(slack)
  await slack.until(() => slack.connections() === 1)
  const second = await listen(slack)
  await slack.until(() => slack.connections() === 2)
  for (const text of ['a', 'b', 'c', 'd']) await slack.slash('/smoke', text)
  expect(first.heard[0]).toMatchObject({ type: 'hello', num_connections: 1 })
  expect(second.heard[0]).toMatchObject({ type: 'hello', num_connections: 2 })
  const texts = [first, second].map(({ heard }) => heard.slice(1).map((envelope) => payloadOf(envelope)['text']))
  expect(texts.map((said) => said.length)).toEqual([2, 2])
  expect(texts.flat().sort()).toEqual(['a', 'b', 'c', 'd'])
})

test('a ticket opens one socket, and ten sockets are enough', async () => {
  const asking = { ...slack, botToken: slack.appToken }
  const { url } = await call(asking, 'apps.connections.open', {})
  const used = new WebSocket(String(url))
  await slack.until(() => slack.connections() === 1)
  const again = new WebSocket(String(url))
  await new Promise((resolve) => again.addEventListener('error', resolve, { once: true }))
  for (let open = 2; open <= 10; open += 1) {
    await listen(slack)
    await slack.until(() => slack.connections() === open)
  }
  expect(await call(asking, 'apps.connections.open', {})).toMatchObject({ error: 'too_many_websockets' })
  used.close()
})

test('a slash command has no thread and carries a response_url for five uses', async () => {
  const app = await listen(slack)
  await slack.until(() => slack.connections() === 1)
  await slack.slash('/smoke', 'Say hello', 'U0BEN')
  const { response_url: url, ...command } = payloadOf(app.heard[1])
  expect(command).toMatchObject({ command: '/smoke', text: 'Say hello', user_id: 'U0BEN', channel_id: 'C0GPU' })
  expect(command).not.toHaveProperty('thread_ts')
  const respond = () => fetch(String(url), { method: 'POST', body: new URLSearchParams({ text: 'x' }) })
  for (let use = 1; use <= 5; use += 1) expect((await respond()).status).toBe(200)
  const sixth = await respond()
  expect([sixth.status, await sixth.json()]).toEqual([404, { ok: false, error: 'used_url' }])
  expect(slack.messages().map((message) => message.onlyFor)).toEqual(Array(5).fill('U0BEN'))
})

test('a response_url lives for thirty minutes', async () => {
  const app = await listen(slack)
  await slack.until(() => slack.connections() === 1)
  await slack.slash('/smoke', '')
  const url = String(payloadOf(app.heard[1])['response_url'])
  const respond = () => fetch(url, { method: 'POST', body: new URLSearchParams({ text: 'x' }) })
  at.now += 30 * MINUTE
  expect((await respond()).status).toBe(200)
  at.now += 1
  const late = await respond()
  expect([late.status, await late.json()]).toEqual([404, { ok: false, error: 'expired_url' }])
})

test("the bot's own message comes back as an event, and so does its change", async () => {
  const app = await listen(slack)
  await slack.until(() => slack.connections() === 1)
  const { ts } = await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'x' })
  await call(slack, 'chat.update', { channel: 'C0GPU', ts, text: 'y' })
  await slack.slash('/smoke', 'last')
  expect(app.heard.slice(1, 3).map((envelope) => payloadOf(envelope)['event'])).toMatchObject([
    { type: 'message', bot_id: 'B0PILOT', text: 'x', ts },
    { type: 'message', subtype: 'message_changed', message: { text: 'y' }, previous_message: { text: 'x' } },
  ])
})

test('a person writes text, Slack sends entities, mentions and links', async () => {
  const app = await listen(slack)
  await slack.until(() => slack.connections() === 1)
  slack.mention('if a < b && c > d see http://node1.example/x @nobody @ben', { as: 'U0BEN' })
  await slack.slash('/smoke', 'last')
  expect(payloadOf(app.heard[1])['event']).toMatchObject({
    user: 'U0BEN',
    text: '<@U0PILOT> if a &lt; b &amp;&amp; c &gt; d see <http://node1.example/x> @nobody <@U0BEN>',
  })
})
