import { WebClient } from '@slack/web-api'
import { expect, test } from 'vitest'
import { Event, Press } from '../../../src/surfaces/slack/payloads.ts'
import { people } from '../../../src/surfaces/slack/people.ts'
import { recordingLog } from './harness.ts'

const member = { team_id: 'T1', name: 'anna', profile: { display_name: 'Anna' } }

/** A lookup whose Slack knows one person, and counts how often it is asked. */
function lookup(user: unknown, now = () => 0) {
  const asked: string[] = []
  const client = new WebClient('xoxb-1', {
    retryConfig: { retries: 0 },
    fetch: async (url) => {
      asked.push(String(url))
      return Response.json(user === null ? { ok: false, error: 'user_not_found' } : { ok: true, user })
    },
  })
  return { asked, person: people(client, 'T1', { now, monotonic: now }, recordingLog()) }
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

test('a lookup is kept for ten minutes, a failed one is not', async () => {
  let now = 0
  const known = lookup(member, () => now)
  const failing = lookup(null, () => now)
  for (now of [0, 599_999, 600_000]) {
    await known.person({ id: 'U1', teams: ['T1'], name: null })
    await failing.person({ id: 'U1', teams: ['T1'], name: null })
  }
  expect([known.asked.length, failing.asked.length]).toEqual([2, 3])
})

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
  const press = {
    user: { id: 'U1', team_id: 'T1' },
    channel: { id: 'C1' },
    container,
    actions: [{ action_id: 'pf:1', action_ts: '9' }],
  }
  expect(Press.parse(press)).toMatchObject({ thread, channel: 'C1', keys: ['press:9:pf:1:U1'] })
})
