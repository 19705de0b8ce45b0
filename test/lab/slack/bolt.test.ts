import { App, LogLevel, webApi } from '@slack/bolt'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'

let slack: SlackStandIn
let app: App

beforeEach(async () => {
  slack = await startSlack({ port: 0 })
  app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    convoStore: false,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl },
  })
})

afterEach(async () => {
  await app.stop()
  await slack.close()
})

test('a slash command is acknowledged and answered in a thread', async () => {
  app.command('/smoke', async ({ ack, command, client }) => {
    await ack()
    const parent = await client.chat.postMessage({ channel: command.channel_id, text: `smoke: ${command.text}` })
    await client.chat.postMessage({ channel: command.channel_id, thread_ts: `${parent.ts}`, text: 'details' })
    await client.chat.update({ channel: command.channel_id, ts: `${parent.ts}`, text: 'done' })
  })
  await app.start()
  const ack = await slack.slash('/smoke', '“Say hello”')
  expect(ack).toMatchObject({ ok: true })
  const parent = await slack.until(() => slack.messages().find((message) => message.text === 'done'))
  expect(parent.replies.map((reply) => reply.text)).toEqual(['details'])
  expect(slack.calls().filter((call) => call.method.startsWith('chat.'))).toMatchObject([
    { method: 'chat.postMessage', args: { text: 'smoke: “Say hello”' }, reply: { ok: true } },
    { method: 'chat.postMessage' },
    { method: 'chat.update' },
  ])
})

test('a command without a listener tells the typist, as Slack does', async () => {
  await app.start()
  expect(await slack.slash('/gpu', 'status')).toMatchObject({ ok: false, error: 'operation_timeout' })
  expect(slack.messages().at(-1)).toMatchObject({ onlyFor: 'U0ANNA', text: expect.stringContaining('did not respond') })
})

test('a command without a connection is lost, an event waits', async () => {
  const heard: string[] = []
  app.event('app_mention', ({ event }) => Promise.resolve(void heard.push(event.text)))
  expect(await slack.slash('/smoke', 'x')).toMatchObject({ ok: false, error: 'dispatch_failed' })
  slack.mention('raw <b>')
  await app.start()
  await vi.waitFor(() => expect(heard).toEqual(['<@U0PILOT> raw &lt;b&gt;']))
})

test('a mention arrives twice with the same ts, a reply once', async () => {
  const heard: string[] = []
  app.event('app_mention', ({ event }) => Promise.resolve(void heard.push(`mention ${event.ts}`)))
  app.event('message', ({ event }) => Promise.resolve(void heard.push(`message ${event.ts}`)))
  await app.start()
  const { ts } = slack.mention('raw')
  await vi.waitFor(() => expect(heard.sort()).toEqual([`mention ${ts}`, `message ${ts}`]))
  const reply = slack.reply('thanks', { thread: ts, as: 'U0BEN' })
  await vi.waitFor(() => expect(heard[2]).toBe(`message ${reply.ts}`))
})

test('a button carries its value, its message and a response_url', async () => {
  const seen: unknown[] = []
  app.action('go', async ({ ack, body, respond }) => {
    await ack()
    seen.push(body)
    await respond({ text: 'only you', replace_original: false })
  })
  app.command('/smoke', async ({ ack, client, command }) => {
    await ack()
    const button = { type: 'button', action_id: 'go', value: 'b1', text: { type: 'plain_text', text: 'Go' } } as const
    const blocks = [{ type: 'actions', elements: [button] } as const]
    await client.chat.postMessage({ channel: command.channel_id, text: 'press', blocks })
  })
  await app.start()
  await slack.slash('/smoke', '')
  const message = await slack.until(() => slack.messages().find((one) => one.text === 'press'))
  expect(slack.buttons(message.ts)).toEqual(['Go'])
  expect(await slack.press(message.ts, 'Go', 'U0BEN')).toMatchObject({ ok: true })
  const answer = await slack.until(() => slack.messages().find((one) => one.text === 'only you'))
  expect(answer.onlyFor).toBe('U0BEN')
  expect(seen).toMatchObject([
    {
      user: { id: 'U0BEN', team_id: 'T0DEMO' },
      container: { message_ts: message.ts, is_ephemeral: false },
      actions: [{ action_id: 'go', value: 'b1', block_id: expect.any(String) }],
    },
  ])
})

test('an ephemeral message is for one person, a file comes after its upload', async () => {
  await app.start()
  await app.client.chat.postEphemeral({ channel: 'C0GPU', user: 'U0BEN', text: 'psst' })
  expect(slack.messages().at(-1)).toMatchObject({ text: 'psst', onlyFor: 'U0BEN' })
  const { ts } = await app.client.chat.postMessage({ channel: 'C0GPU', text: 'here' })
  await app.client.files.uploadV2({
    channel_id: 'C0GPU',
    thread_ts: `${ts}`,
    filename: 'reasoning.txt',
    content: 'Grüße 🚀',
  })
  const file = await slack.until(() => slack.messages().find((one) => one.ts === ts)?.replies[0]?.files[0])
  expect(file).toMatchObject({ name: 'reasoning.txt' })
  expect(await (await fetch(`${slack.url}/files/${file.id}/reasoning.txt`)).text()).toBe('Grüße 🚀')
})

test('the scopes of the token are told, and a missing one refuses', async () => {
  const poor = await startSlack({ port: 0, scopes: ['chat:write'] })
  const lookups = new webApi.WebClient(poor.botToken, { slackApiUrl: poor.apiUrl })
  expect((await lookups.auth.test()).response_metadata).toMatchObject({ scopes: ['chat:write'] })
  await expect(lookups.users.info({ user: 'U0BEN' })).rejects.toMatchObject({ data: { error: 'missing_scope' } })
  await poor.close()
})

test('a refreshed connection is replaced', async () => {
  app.command('/smoke', ({ ack }) => ack())
  await app.start()
  expect(slack.connections()).toBe(1)
  slack.disconnect('refresh_requested')
  expect(slack.connections()).toBe(0)
  await slack.until(() => slack.connections() === 1, 8_000)
  expect(await slack.slash('/smoke', '')).toMatchObject({ ok: true })
}, 10_000)
