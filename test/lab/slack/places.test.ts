import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { channel, person } from '../../../src/lab/slack/cast.ts'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import type { Fields } from '../../../src/lab/slack/json.ts'
import { fieldsIn, isFields } from '../../../src/lab/slack/json.ts'
import { call, listen } from './client.ts'

let slack: SlackStandIn
let heard: readonly Fields[]

beforeEach(async () => {
  slack = await startSlack({ port: 0 })
  const app = await listen(slack)
  heard = app.heard
  await slack.until(() => slack.connections() === 1)
})
afterEach(() => slack.close())

/** Payloads of this kind so far; of events the event itself with its envelope. */
function payloads(kind: 'slash_commands' | 'interactive' | 'events_api'): readonly Fields[] {
  return heard.flatMap(({ type, payload }) => (type === kind && isFields(payload) ? [payload] : []))
}

async function event(type: string): Promise<Fields> {
  return slack.until(() =>
    payloads('events_api')
      .map(eventIn)
      .find((one) => one['type'] === type),
  )
}

function eventIn({ event: inner }: Fields): Fields {
  return isFields(inner) ? inner : {}
}

describe('people', () => {
  test.each([
    ['U0ANNA', { team_id: 'T0DEMO', deleted: false, is_bot: false, is_restricted: false, is_admin: true }],
    ['U0GUEST', { is_restricted: true, is_ultra_restricted: false }],
    ['U0ULTRA', { is_restricted: true, is_ultra_restricted: true }],
    ['U0OTHER', { team_id: 'T0OTHER', is_stranger: true }],
    ['U0GONE', { deleted: true }],
    ['U0ROBOT', { is_bot: true }],
  ])('%s as users.info tells', async (user, flags) => {
    expect(await call(slack, 'users.info', { user })).toMatchObject({ ok: true, user: { id: user, ...flags } })
  })

  test('a member is no stranger, and a closed account has no flags', async () => {
    const user = async (id: string) => (await call(slack, 'users.info', { user: id }))['user']
    expect(await user('U0ANNA')).not.toHaveProperty('is_stranger')
    expect(await user('U0GONE')).not.toHaveProperty('is_restricted')
  })
})

describe('what people do', () => {
  test('an outsider acts under their own team, in each kind of payload', async () => {
    const { ts } = slack.mention('raw', { as: 'U0OTHER', in: 'C0SHARED' })
    const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }
    const blocks = [{ type: 'actions', elements: [button] }]
    const posted = await call(slack, 'chat.postMessage', { channel: 'C0SHARED', text: 'x', thread_ts: ts, blocks })
    await slack.slash('/smoke', 'x', 'U0OTHER', 'C0SHARED')
    await slack.press(String(posted['ts']), 'Go', 'U0OTHER')
    const mention = payloads('events_api').find((one) => eventIn(one)['type'] === 'app_mention')
    expect(mention).toMatchObject({
      team_id: 'T0DEMO',
      context_team_id: 'T0DEMO',
      is_ext_shared_channel: true,
      authorizations: [{ team_id: 'T0DEMO' }],
      event: { user: 'U0OTHER', team: 'T0OTHER', user_team: 'T0OTHER', source_team: 'T0OTHER', channel: 'C0SHARED' },
    })
    expect(payloads('slash_commands')[0]).toMatchObject({ team_id: 'T0OTHER', channel_name: 'partners' })
    expect(payloads('interactive')[0]).toMatchObject({
      team: { id: 'T0DEMO' },
      user: { id: 'U0OTHER', team_id: 'T0OTHER' },
      channel: { id: 'C0SHARED' },
    })
  })

  test('a bot says that it is one; our own says whose app it is', async () => {
    slack.mention('raw', { as: 'U0ROBOT' })
    expect(await event('app_mention')).toMatchObject({ user: 'U0ROBOT', bot_id: 'BU0ROBOT' })
    await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'own' })
    const own = await slack.until(() =>
      payloads('events_api')
        .map(eventIn)
        .find((one) => one['text'] === 'own'),
    )
    expect(own).toMatchObject({ bot_id: 'B0PILOT', app_id: 'A0PILOT' })
  })

  test('more of them, and of channels, where a test brings them', async () => {
    await slack.close()
    slack = await startSlack({
      port: 0,
      people: [person({ id: 'U0NEW', name: 'nina' }), person({ id: 'U0BEN', name: 'ben', guest: true })],
      channels: [channel({ id: 'C0NEW', name: 'new' })],
    })
    expect(await call(slack, 'users.info', { user: 'U0NEW' })).toMatchObject({ user: { name: 'nina' } })
    expect(await call(slack, 'users.info', { user: 'U0BEN' })).toMatchObject({ user: { is_restricted: true } })
    slack.mention('raw', { in: 'C0NEW', as: 'U0NEW' })
    expect(slack.messages('C0NEW')).toMatchObject([{ user: 'U0NEW', text: '<@U0PILOT> raw' }])
  })
})

describe('channels', () => {
  test.each([
    ['C0GPU', { is_member: true, is_private: false, is_archived: false, is_ext_shared: false }],
    ['C0QUIET', { is_member: false }],
    ['C0SHARED', { is_ext_shared: true, is_shared: true, connected_team_ids: ['T0OTHER'] }],
    ['C0PENDING', { is_ext_shared: false, is_pending_ext_shared: true }],
    ['C0OLD', { is_archived: true }],
    ['C0PRIVATE', { is_private: true, is_member: true }],
  ])('%s as conversations.info tells', async (id, flags) => {
    expect(await call(slack, 'conversations.info', { channel: id })).toMatchObject({ channel: { id, ...flags } })
  })

  test.each([
    ['chat.postMessage', 'C0OLD', 'is_archived'],
    ['chat.postMessage', 'C0QUIET', 'not_in_channel'],
    ['chat.postMessage', 'C0HIDDEN', 'channel_not_found'],
    ['conversations.info', 'C0HIDDEN', 'channel_not_found'],
    ['conversations.history', 'C0QUIET', 'not_in_channel'],
    ['conversations.history', 'C0HIDDEN', 'channel_not_found'],
  ])('%s in %s: %s', async (method, id, error) => {
    expect(await call(slack, method, { channel: id, text: 'x' })).toMatchObject({ ok: false, error })
  })

  test('a scope for each kind', async () => {
    const poor = await startSlack({ port: 0, scopes: ['channels:read', 'groups:history'] })
    const info = (id: string) => call(poor, 'conversations.info', { channel: id })
    expect(await info('C0GPU')).toMatchObject({ ok: true })
    expect(await info('C0PRIVATE')).toMatchObject({ error: 'missing_scope', needed: 'groups:read' })
    expect(await info('D0ANNA')).toMatchObject({ error: 'missing_scope', needed: 'im:read' })
    const history = (id: string) => call(poor, 'conversations.history', { channel: id })
    expect(await history('C0PRIVATE')).toMatchObject({ ok: true })
    expect(await history('C0GPU')).toMatchObject({ needed: 'channels:history' })
    await poor.close()
  })
})

describe('in channels', () => {
  test('payloads name public channels only', async () => {
    for (const id of ['C0QUIET', 'C0PRIVATE', 'D0ANNA']) await slack.slash('/smoke', 'x', 'U0ANNA', id)
    expect(payloads('slash_commands').map((one) => [one['channel_id'], one['channel_name']])).toEqual([
      ['C0QUIET', 'quiet'],
      ['C0PRIVATE', 'privategroup'],
      ['D0ANNA', 'directmessage'],
    ])
  })

  test('where the bot is not it hears nothing', async () => {
    slack.mention('raw', { in: 'C0QUIET' })
    slack.mention('raw', { in: 'C0PRIVATE' })
    await event('app_mention')
    expect(payloads('events_api').map((one) => [eventIn(one)['channel'], eventIn(one)['channel_type']])).toEqual([
      ['C0PRIVATE', 'group'],
      ['C0PRIVATE', 'group'],
    ])
  })

  test('the bot is invited, and hears of it and from then on', async () => {
    slack.invite('C0QUIET', 'U0BEN')
    expect(await event('member_joined_channel')).toMatchObject({
      user: 'U0PILOT',
      channel: 'C0QUIET',
      channel_type: 'C',
      team: 'T0DEMO',
      inviter: 'U0BEN',
    })
    expect(await event('message')).toMatchObject({ subtype: 'channel_join', user: 'U0PILOT' })
    expect(await call(slack, 'chat.postMessage', { channel: 'C0QUIET', text: 'hello' })).toMatchObject({ ok: true })
  })

  test('it is taken out, and a channel is archived', async () => {
    const { ts } = await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'x' })
    slack.kick('C0PRIVATE')
    slack.archive('C0GPU')
    expect(await event('group_left')).toMatchObject({ channel: 'C0PRIVATE' })
    expect(await event('channel_archive')).toMatchObject({ channel: 'C0GPU', user: 'U0ANNA' })
    const at = { channel: 'C0GPU', text: 'y' }
    expect(await call(slack, 'chat.postMessage', at)).toMatchObject({ error: 'is_archived' })
    expect(await call(slack, 'chat.update', { ...at, ts })).toMatchObject({ error: 'is_inactive' })
    expect(await call(slack, 'chat.postMessage', { ...at, channel: 'C0PRIVATE' })).toMatchObject({
      error: 'channel_not_found',
    })
    expect(slack.channels.find(({ id }) => id === 'C0GPU')?.archived).toBe(true)
  })
})

test('only what was subscribed is sent', async () => {
  const quiet = await startSlack({ port: 0, events: ['app_mention'] })
  const app = await listen(quiet)
  await quiet.until(() => quiet.connections() === 1)
  const { ts } = quiet.mention('raw')
  quiet.reply('thanks', { thread: ts })
  quiet.invite('C0QUIET')
  await quiet.slash('/smoke', 'last')
  expect(app.heard.map(({ type }) => type)).toEqual(['hello', 'events_api', 'slash_commands'])
  await quiet.close()
})

test('a user group changes, and the app hears who came and who went', async () => {
  slack.group('S0OPS', ['U0CARL', 'U0ANNA'])
  expect(await event('subteam_members_changed')).toMatchObject({
    subteam_id: 'S0OPS',
    added_users: ['U0CARL', 'U0ANNA'],
    removed_users: ['U0BEN'],
  })
  const users = (usergroup: string) => call(slack, 'usergroups.users.list', { usergroup })
  expect(await users('S0OPS')).toEqual({ ok: true, users: ['U0CARL', 'U0ANNA'] })
  expect(await users('S0NONE')).toMatchObject({ error: 'no_such_subteam' })
  expect(await call(slack, 'usergroups.list', {})).toMatchObject({ usergroups: [{ id: 'S0OPS', handle: 'gpu-ops' }] })
})

describe('looking a message up again', () => {
  const metadata = { event_type: 'pilotflame', event_payload: { letter: 'L1' } }

  test('metadata is whole where it is asked for, and only its type elsewhere', async () => {
    const post = { channel: 'C0GPU', text: 'x' }
    const { ts } = await call(slack, 'chat.postMessage', { ...post, metadata })
    await call(slack, 'chat.postMessage', { ...post, metadata, thread_ts: ts })
    const found = async (method: string, all: boolean) => {
      const reply = await call(slack, method, { channel: 'C0GPU', ts, include_all_metadata: all })
      return fieldsIn(reply['messages']).map((message) => message['metadata'])
    }
    expect(await found('conversations.history', true)).toEqual([metadata])
    expect(await found('conversations.replies', true)).toEqual([metadata, metadata])
    expect(await found('conversations.replies', false)).toEqual(Array(2).fill({ event_type: 'pilotflame' }))
  })

  test.each([[{ event_type: 'x' }], [{ event_payload: {} }], ['text']])('metadata %o has no form', async (wrong) => {
    const post = { channel: 'C0GPU', text: 'x', metadata: wrong }
    expect(await call(slack, 'chat.postMessage', post)).toMatchObject({ error: 'invalid_metadata_format' })
  })

  test('oldest and latest leave themselves out unless they are included; the parent is always there', async () => {
    const post = async (text: string, thread?: unknown) =>
      (await call(slack, 'chat.postMessage', { channel: 'C0GPU', text, thread_ts: thread }))['ts']
    const [a, b, c] = [await post('a'), await post('b'), await post('c')]
    const [, two] = [await post('one', a), await post('two', a), await post('three', a)]
    const found = async (method: string, args: Fields) => {
      const reply = await call(slack, method, { channel: 'C0GPU', ...args })
      return fieldsIn(reply['messages']).map((message) => message['text'])
    }
    expect(await found('conversations.history', { oldest: a, latest: c })).toEqual(['b'])
    expect(await found('conversations.history', { oldest: a, latest: c, inclusive: true })).toEqual(['c', 'b', 'a'])
    expect(await found('conversations.history', { oldest: b, limit: 1 })).toEqual(['c'])
    expect(await found('conversations.replies', { ts: a, oldest: two })).toEqual(['a', 'three'])
    expect(await found('conversations.replies', { ts: two })).toEqual(['a', 'one', 'two', 'three'])
  })
})
