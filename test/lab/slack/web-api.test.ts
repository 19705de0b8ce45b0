import { webApi } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import { call } from './client.ts'

const at = { now: Date.parse('2026-11-30T12:00:00Z') }
let slack: SlackStandIn

beforeEach(async () => {
  slack = await startSlack({ port: 0, clock: { now: () => at.now } })
})
afterEach(() => slack.close())

test.each([
  ['an unknown method', 'chat.sing', {}, 'unknown_method'],
  ['an unknown channel', 'chat.postMessage', { channel: 'C0NONE', text: 'x' }, 'channel_not_found'],
  ['a channel without the bot', 'chat.postMessage', { channel: 'C0QUIET', text: 'x' }, 'not_in_channel'],
  ['nothing to say', 'chat.postMessage', { channel: 'C0GPU' }, 'no_text'],
  [
    'a thread that is not there',
    'chat.postMessage',
    { channel: 'C0GPU', text: 'x', thread_ts: '1.0' },
    'thread_not_found',
  ],
  ['a message that is not there', 'chat.update', { channel: 'C0GPU', ts: '1.0', text: 'x' }, 'message_not_found'],
  ['a person who is not there', 'users.info', { user: 'U0NOBODY' }, 'user_not_found'],
  [
    'large metadata',
    'chat.postMessage',
    { channel: 'C0GPU', text: 'x', metadata: { a: 'a'.repeat(4000) } },
    'metadata_too_large',
  ],
])('%s: %s', async (_, method, body, error) => {
  expect(await call(slack, method, body)).toMatchObject({ ok: false, error })
})

test("another person's message cannot be changed", async () => {
  const { ts } = slack.mention('raw')
  expect(await call(slack, 'chat.update', { channel: 'C0GPU', ts, text: 'x' })).toMatchObject({
    error: 'cant_update_message',
  })
})

test('tokens are told apart', async () => {
  const asking = (botToken: string) => call({ ...slack, botToken }, 'auth.test', {})
  expect(await asking(slack.botToken)).toMatchObject({ ok: true, user_id: 'U0PILOT', team_id: 'T0DEMO' })
  expect(await asking(slack.appToken)).toMatchObject({ error: 'not_allowed_token_type' })
  expect(await asking('xoxb-other')).toMatchObject({ error: 'invalid_auth' })
  expect(await asking('')).toMatchObject({ error: 'not_authed' })
})

test('an update without blocks takes the old ones away, one without anything keeps them', async () => {
  const post = { channel: 'C0GPU', text: 'x', blocks: [{ type: 'divider' }] }
  const { ts } = await call(slack, 'chat.postMessage', post)
  await call(slack, 'chat.update', { channel: 'C0GPU', ts })
  expect(slack.messages()[0]?.blocks).toHaveLength(1)
  await call(slack, 'chat.update', { channel: 'C0GPU', ts, text: 'y' })
  expect(slack.messages()[0]).toMatchObject({ text: 'y', blocks: [] })
})

test('history and replies leave out what one person alone sees', async () => {
  const { ts } = await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'parent' })
  await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'reply', thread_ts: ts })
  await call(slack, 'chat.postEphemeral', { channel: 'C0GPU', user: 'U0ANNA', text: 'psst' })
  const history = await call(slack, 'conversations.history', { channel: 'C0GPU' })
  expect(history['messages']).toMatchObject([{ text: 'parent', reply_count: 1 }])
  const replies = await call(slack, 'conversations.replies', { channel: 'C0GPU', ts })
  expect(replies['messages']).toMatchObject([{ text: 'parent' }, { text: 'reply', thread_ts: ts }])
})

describe('faults', () => {
  const client = () =>
    new webApi.WebClient(slack.botToken, {
      slackApiUrl: slack.apiUrl,
      rejectRateLimitedCalls: true,
      retryConfig: { retries: 0 },
      logLevel: webApi.LogLevel.ERROR,
    })
  const post = () => client().chat.postMessage({ channel: 'C0GPU', text: 'x' })

  test('a rate limit holds once and says how long', async () => {
    slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfter: 3 })
    await expect(post()).rejects.toMatchObject({ retryAfter: 3 })
    await expect(post()).resolves.toMatchObject({ ok: true })
    expect(slack.messages()).toHaveLength(1)
  })

  test('a server error, an error code and a broken connection do nothing', async () => {
    slack.fault('chat.postMessage', { kind: 'http', status: 503 })
    slack.fault('chat.postMessage', { kind: 'error', error: 'internal_error' })
    slack.fault('chat.postMessage', { kind: 'reset' })
    await expect(post()).rejects.toMatchObject({ statusCode: 503 })
    await expect(post()).rejects.toMatchObject({ data: { error: 'internal_error' } })
    await expect(post()).rejects.toThrow()
    expect(slack.messages()).toHaveLength(0)
  })

  test('a lost answer was acted on', async () => {
    slack.fault('chat.postMessage', { kind: 'lost' })
    await expect(post()).rejects.toThrow()
    expect(slack.messages()).toHaveLength(1)
  })
})
