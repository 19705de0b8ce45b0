import { WebClient } from '@slack/web-api'
import { expect, test } from 'vitest'
import { sentence } from '../../../src/domain/failure.ts'
import { Command, Event, Press } from '../../../src/surfaces/slack/payloads.ts'
import { accounts, people } from '../../../src/surfaces/slack/people.ts'
import { recordingLog } from './harness.ts'

const member = { team_id: 'T1', name: 'anna', profile: { display_name: 'Anna' } }

/** A lookup whose Slack knows one person, and counts how often it is asked. */
function lookup(user: unknown, now = () => 0, slack = { down: false }) {
  const asked: string[] = []
  const client = new WebClient('xoxb-1', {
    retryConfig: { retries: 0 },
    fetch: async (url) => {
      asked.push(String(url))
      if (slack.down) return new Response('', { status: 503 })
      return Response.json(user === null ? { ok: false, error: 'user_not_found' } : { ok: true, user })
    },
  })
  const account = accounts(client, 'T1', { now, monotonic: now })
  return { asked, account, person: people(account, 'T1', recordingLog()) }
}

test.each([
  ['a member', member, ['T1'], 'member'],
  ['a guest', { ...member, is_restricted: true }, ['T1'], 'guest'],
  ['a single-channel guest', { ...member, is_ultra_restricted: true }, ['T1'], 'guest'],
  ['a bot', { ...member, is_bot: true }, ['T1'], 'bot'],
  ['a stranger', { ...member, is_stranger: true }, ['T1'], 'outsider'],
  ['a deleted account', { ...member, deleted: true }, ['T1'], 'outsider'],
  ['an account of another team', { ...member, team_id: 'T2' }, ['T1'], 'outsider'],
  ['a payload of another team', member, ['T2'], 'outsider'],
  ['a payload that names our team and another', member, ['T1', 'T2'], 'outsider'],
  ['a payload that names no team', member, [], 'unknown'],
  ['an account without team', { name: 'anna' }, ['T1'], 'unknown'],
  ['somebody whom Slack does not know', null, ['T1'], 'unknown'],
  ['an answer of another shape', { team_id: 7 }, ['T1'], 'unknown'],
])('%s', async (_, user, teams, kind) => {
  const { person } = lookup(user)
  expect((await person({ id: 'U1', teams, name: 'admin' })).kind).toBe(kind)
})

test('the display name is for reading; the id decides', async () => {
  const { person } = lookup(member)
  expect(await person({ id: 'U1', teams: ['T1'], name: 'root' })).toEqual({
    team: 'T1',
    id: 'U1',
    name: 'Anna',
    kind: 'member',
  })
})

test('Slack’s own bot is one, whatever it says of itself', async () => {
  const { person } = lookup({ ...member, is_bot: false })
  expect((await person({ id: 'USLACKBOT', teams: ['T1'], name: null })).kind).toBe('bot')
})

test('a lookup is kept for a minute, a failed one not at all', async () => {
  let now = 0
  const known = lookup(member, () => now)
  const failing = lookup(null, () => now)
  for (now of [0, 59_999, 60_000]) {
    await known.person({ id: 'U1', teams: ['T1'], name: null })
    await failing.person({ id: 'U1', teams: ['T1'], name: null })
  }
  expect([known.asked.length, failing.asked.length]).toEqual([2, 3])
})

test('many who ask at once cause one lookup', async () => {
  const { asked, person } = lookup(member)
  const all = await Promise.all(Array.from({ length: 50 }, () => person({ id: 'U1', teams: ['T1'], name: null })))
  expect([asked.length, new Set(all.map(({ kind }) => kind))]).toEqual([1, new Set(['member'])])
})

test('whoever was dismissed is none of us within a minute', async () => {
  let now = 0
  const user = { ...member, deleted: false }
  const { person } = lookup(user, () => now)
  const kinds: string[] = []
  for (now of [0, 30_000, 60_000]) {
    kinds.push((await person({ id: 'U1', teams: ['T1'], name: null })).kind)
    user.deleted = true
  }
  expect(kinds).toEqual(['member', 'member', 'outsider'])
})

test('while Slack does not answer, who was known before may look for ten minutes, and change nothing', async () => {
  let now = 0
  const slack = { down: false }
  const { person } = lookup(member, () => now, slack)
  const seen: unknown[] = []
  for (now of [0, 59_999, 60_000, 599_999, 600_000]) {
    const { kind, stale } = await person({ id: 'U1', teams: ['T1'], name: null })
    seen.push([kind, stale === true])
    slack.down = true
  }
  expect(seen).toEqual([
    ['member', false],
    ['member', false],
    ['member', true],
    ['member', true],
    ['unknown', true],
  ])
})

test('an id that nobody has is said', async () => {
  const found = await lookup(null).account('U1')
  expect(found.ok ? '' : sentence(found.failure)).toMatch(/Slack user U1: .*nobody.*profile/)
})

test.each([
  [
    'a command',
    Command,
    { command: '/smoke', trigger_id: '1', user_id: 'U1', channel_id: 'C1', team_id: 'T2' },
    ['T2'],
  ],
  ['a command without team', Command, { command: '/x', trigger_id: '1', user_id: 'U1', channel_id: 'C1' }, []],
  ['a press', Press, press({ id: 'U1', team_id: 'T2' }), ['T2']],
  ['a press that names no team of theirs', Press, press({ id: 'U1' }), ['T1']],
])('%s tells whose they are', (_, shape, payload, teams) => {
  expect(shape.parse(payload).actor.teams).toEqual(teams)
})

/** A press in our team’s channel. */
function press(user: object) {
  return { user, team: { id: 'T1' }, channel: { id: 'C1' }, actions: [{ action_id: 'pf:1', action_ts: '9' }] }
}

test.each([
  ['the sender’s team', { user_team: 'T2', team: 'T1' }, ['T2', 'T1']],
  ['the source team', { source_team: 'T2' }, ['T2']],
  ['only the team that it was delivered to', {}, ['T1']],
])('an event that names %s', (_, teams, expected) => {
  const event = { channel: 'C1', ts: '1.1', user: 'U1', text: 'hi', ...teams }
  expect(Event.parse({ team_id: 'T1', event }).actor.teams).toEqual(expected)
})

test.each([
  ['a person', { user: 'U1' }, true],
  ['a bot', { user: 'U1', bot_id: 'B1' }, false],
  ['an edit', { user: 'U1', subtype: 'message_changed' }, false],
  ['nobody', {}, false],
])('%s said it', (_, who, byPerson) => {
  expect(Event.parse({ team_id: 'T1', event: { channel: 'C1', ts: '1.1', ...who } }).byPerson).toBe(byPerson)
})

test.each([
  ['in a thread', { message_ts: '2.2', thread_ts: '1.1' }, '1.1'],
  ['on a thread’s first message', { message_ts: '1.1' }, '1.1'],
  ['on a message that one person sees', { message_ts: '3.3', is_ephemeral: true }, null],
])('a press %s', (_, container, thread) => {
  expect(Press.parse({ ...press({ id: 'U1', team_id: 'T1' }), container })).toMatchObject({
    thread,
    channel: 'C1',
    keys: ['press:9:pf:1:U1'],
  })
})
