import { WebClient } from '@slack/web-api'
import { expect, test } from 'vitest'
import { sentence } from '../../../src/domain/failure.ts'
import type { Outcome } from '../../../src/domain/outcome.ts'
import { directory } from '../../../src/surfaces/slack/directory.ts'
import { accounts } from '../../../src/surfaces/slack/people.ts'

type Reply = object | 'down' | 'limited'

/** A directory whose Slack answers what `says` holds, and counts how often it is asked. */
function asking(says: { reply: Reply }, now = () => 0) {
  const asked: string[] = []
  const client = new WebClient('xoxb-1', {
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: async (url, init) => {
      asked.push(`${String(url).replace(/.*\//, '')} ${String(init?.body)}`)
      if (says.reply === 'down') return new Response('', { status: 503 })
      if (says.reply === 'limited') return new Response('', { status: 429, headers: { 'retry-after': '30' } })
      return Response.json(says.reply)
    },
  })
  const clock = { now, monotonic: now }
  const account = accounts(client, 'T1', clock)
  return { asked, chat: directory(client, () => account, clock), unborn: directory(client, () => null, clock) }
}

function words(outcome: Outcome<unknown>): string {
  return outcome.ok ? JSON.stringify(outcome.value) : sentence(outcome.failure)
}

test('the members of a group are asked for by its id, and are ids', async () => {
  const { asked, chat } = asking({ reply: { ok: true, users: ['U1', 'U2'] } })
  expect(await chat.group('S0OPS')).toEqual({ ok: true, value: ['U1', 'U2'] })
  expect(asked[0]).toMatch(/^usergroups\.users\.list .*usergroup=S0OPS/)
})

const GROUPS: readonly (readonly [string, Reply, RegExp])[] = [
  [
    'a plan without groups',
    { ok: false, error: 'plan_upgrade_required' },
    /no user groups.*pilotflame\.yml under roles/,
  ],
  ['a missing scope', { ok: false, error: 'missing_scope', needed: 'usergroups:read' }, /usergroups:read.*missing/],
  ['no such group', { ok: false, error: 'no_such_subteam' }, /S0OPS.*no_such_subteam.*correct its id/],
  ['an answer of another shape', { ok: true, users: 'U1' }, /S0OPS.*does not tell its members/],
  ['trouble', 'down', /HTTP 503/],
  ['a limit', 'limited', /429/],
]

test.each(GROUPS)('a group with %s lets nobody in, and says why', async (_, reply, said) => {
  const found = await asking({ reply }).chat.group('S0OPS')
  expect(found.ok).toBe(false)
  expect(words(found)).toMatch(said)
})

const alone = { is_ext_shared: false, is_pending_ext_shared: false, is_org_shared: false }

test.each([
  ['nobody else', alone, true, false],
  ['another organisation', { ...alone, is_ext_shared: true }, true, true],
  ['another organisation that is invited', { ...alone, is_pending_ext_shared: true }, true, true],
  ['an invitation by its team alone', { ...alone, pending_connected_team_ids: ['T2'] }, true, true],
  ['another organisation in its pending list', { ...alone, pending_shared: ['T2'] }, true, true],
  ['another workspace of the same grid', { ...alone, is_org_shared: true }, true, true],
  ['a channel that does not say', { is_channel: true }, false, null],
  ['a direct message', { is_im: true }, false, null],
])('%s', async (_, channel, told, shared) => {
  const found = await asking({ reply: { ok: true, channel } }).chat.shared('C1')
  expect([found.ok, found.ok ? found.value : null]).toEqual([told, shared])
})

test.each([
  [{ ok: false, error: 'channel_not_found' }, /Slack channel C1: .*channel_not_found.*\/invite/],
  [{ ok: false, error: 'missing_scope', needed: 'groups:read' }, /groups:read/],
  ['down', /HTTP 503/],
] as const)('a channel that Slack does not show, %j, is not taken for our own', async (reply, said) => {
  const found = await asking({ reply }).chat.shared('C1')
  expect(found.ok).toBe(false)
  expect(words(found)).toMatch(said)
})

test('an answer is kept for a minute, a failure for ten seconds, and nothing older takes its place', async () => {
  let now = 0
  const says: { reply: Reply } = { reply: { ok: true, users: ['U1'] } }
  const { asked, chat } = asking(says, () => now)
  const seen: string[] = []
  for (const [at, reply] of [
    [0, says.reply],
    [59_999, 'down'],
    [60_000, 'down'],
    [69_999, { ok: true, users: ['U2'] }],
    [70_000, { ok: true, users: ['U2'] }],
  ] as const) {
    now = at
    says.reply = reply
    const found = await chat.group('S0OPS')
    seen.push(`${asked.length} ${found.ok ? found.value.join() : 'nobody'}`)
  }
  expect(seen).toEqual(['1 U1', '1 U1', '2 nobody', '2 nobody', '3 U2'])
})

test('100 asks at once cause one call, and no more than 1,000 groups are remembered', async () => {
  const { asked, chat } = asking({ reply: { ok: true, users: [] } })
  await Promise.all(Array.from({ length: 100 }, () => chat.group('S0')))
  expect(asked.length).toBe(1)
  for (let at = 1; at <= 1_000; at += 1) await chat.group(`S${at}`)
  await chat.group('S1000')
  expect(asked.length).toBe(1_001)
  await chat.group('S0')
  expect(asked.length).toBe(1_002)
})

test('a person is looked up among our own, and nobody is known before the bot has connected', async () => {
  const user = { team_id: 'T1', name: 'anna', profile: { display_name: 'Anna' } }
  const { chat, unborn } = asking({ reply: { ok: true, user } })
  expect(await chat.person('U1')).toEqual({ ok: true, value: { kind: 'member', name: 'Anna' } })
  expect(words(await unborn.person('U1'))).toMatch(/not connected yet/)
})
