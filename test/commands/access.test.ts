import { expect, test } from 'vitest'
import type { Ask, Person } from '../../src/domain/ask.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { Directory } from '../../src/domain/role.ts'
import { CHANNEL, openHouse, target } from './house.ts'

const KINDS: Readonly<Record<string, Person['kind']>> = { U0GUEST: 'guest', U0GONE: 'outsider', U0APP: 'bot' }
const NAMES: Readonly<Record<string, string>> = { U0ADMIN: 'Ada', U0BEN: 'Ben', U0ANNA: 'Anna' }

const directory: Directory = {
  group: async (id) => ok(id === 'S0OPS' ? ['U0OLA'] : []),
  shared: async () => ok(false),
  person: async (id) =>
    id === 'U0NOBODY'
      ? failed({ kind: 'shape', thing: 'Slack user U0NOBODY', observed: 'nobody', next: 'look' })
      : ok({ kind: KINDS[id] ?? 'member', name: NAMES[id] ?? id }),
}

const policy = {
  roles: { admins: ['T0:U0ADMIN'], operators: ['T0:U0OPS'], adminGroups: [], operatorGroups: ['S0OPS'] },
  channels: [
    { id: CHANNEL, targets: [], target: null },
    { id: 'C0ONE', targets: ['qwen'], target: null },
  ],
}

function by(id: string, kind: Person['kind'] = 'member'): Partial<Ask> {
  return { person: { team: 'T0', id, name: NAMES[id] ?? id, kind } }
}

const ADMIN = by('U0ADMIN')

async function open(other: Parameters<typeof openHouse>[0] = {}) {
  const house = await openHouse({ policy, directory, targets: [target('qwen'), target('llama')], ...other })
  const audits = async () => {
    const read = await house.store.audits(50)
    return read.ok ? read.value.map((one) => `${one.person.id} ${one.command} ${one.decision} ${one.result}`) : []
  }
  return { ...house, audits }
}

test('a grant is seen by the channel, counts at once, and is recorded with whom it was about', async () => {
  const { say, audits } = await open()
  expect((await say('/pilotflame access grant U0BEN operator', by('U0BEN'))).answer()?.status).toBe('refused')
  const given = (await say('/pilotflame access grant U0BEN operator', ADMIN)).answer()
  expect(given).toMatchObject({ status: 'done', seenBy: 'channel', title: 'Ben (U0BEN) is operator now' })
  const held = (await say('/pilotflame access explain', by('U0BEN'))).answer()
  expect(held?.title).toBe('You: operator, by a grant of T0:U0ADMIN')
  expect(await audits()).toContain('U0ADMIN access grant allowed T0:U0BEN becomes operator')
  expect((await audits()).at(-1)).toBe('U0BEN access grant refused no role')
})

test.each([
  ['a mention', 'access grant <@U0BEN|ben> operator', 'Ben (U0BEN) is operator now'],
  ['a mention without name', 'access grant <@U0BEN> admin', 'Ben (U0BEN) is admin now'],
  ['an id after @', 'access grant @U0BEN operator', 'Ben (U0BEN) is operator now'],
  ['an id with its team', 'access grant T0:U0BEN operator', 'Ben (U0BEN) is operator now'],
])('%s names a person', async (_, line, title) => {
  const { say } = await open()
  const said = { form: 'encoded', text: `<@U0PILOT> ${line}` } as const
  expect((await say('', { ...ADMIN, how: 'mention', said })).answer()?.title).toBe(title)
})

test.each([
  ['a display name', 'access grant @ben operator', /display names decide nothing.*Copy member ID/],
  ['a bare name', 'access grant ben operator', /“ben” is no member id.*Copy member ID/],
  ['no role', 'access grant U0BEN', /access grant USER operator\|admin/],
  ['another role', 'access grant U0BEN root', /operator or admin/],
  ['a guest', 'access grant U0GUEST operator', /U0GUEST is a guest.*Nothing was changed/],
  ['a closed account', 'access grant U0GONE operator', /the account is closed.*Nothing was changed/],
  ['a bot', 'access grant U0APP operator', /U0APP is a bot.*Nothing was changed/],
  ['somebody unknown', 'access grant U0NOBODY operator', /does not tell of a member U0NOBODY.*Copy member ID/],
  ['another team', 'access grant T9:U0BEN operator', /another organisation.*Nothing was changed/],
  ['a name to revoke', 'access revoke @ben', /display names decide nothing/],
  ['somebody without role', 'access revoke U0BEN', /Ben \(U0BEN\) has no role/],
  ['a role of the file', 'access revoke U0OPS', /U0OPS is operator by pilotflame\.yml, which a chat does not change/],
  ['an admin of the file', 'access revoke U0ADMIN', /Ada \(U0ADMIN\) is admin by pilotflame\.yml/],
  ['a role of a group', 'access revoke U0OLA', /U0OLA is operator by user group S0OPS/],
])('%s is refused with what to do, and nothing is given', async (_, line, words) => {
  const { say, store } = await open()
  const answer = (await say(`/pilotflame ${line}`, ADMIN)).answer()
  expect(answer?.title).toMatch(words)
  expect(answer?.title).not.toContain('--words')
  expect(await store.grants()).toMatchObject({ value: [] })
})

test('a role that was given here is taken back, seen by the channel; one of the file stays', async () => {
  const { say } = await open()
  await say('/pilotflame access grant U0BEN operator', ADMIN)
  await say('/pilotflame access grant U0OPS admin', ADMIN)
  const ben = (await say('/pilotflame access revoke U0BEN', ADMIN)).answer()
  expect(ben).toMatchObject({ status: 'done', seenBy: 'channel', title: 'Ben (U0BEN) has no role any more' })
  const ops = (await say('/pilotflame access revoke U0OPS', ADMIN)).answer()
  expect(ops?.title).toBe('U0OPS lost the role given here, and is still operator')
})

test('somebody is always admin: the last one is not revoked, not made less, and not by two at once', async () => {
  const roles = { admins: [], operators: [], adminGroups: [], operatorGroups: [] }
  const { say, store } = await open({ policy: { ...policy, roles } })
  const person = { team: 'T0', id: 'U0BEN' }
  await store.addGrant({ person, role: 'admin', by: 'code', at: 1 })
  for (const line of ['access revoke U0BEN', 'access grant U0BEN operator']) {
    expect((await say(`/pilotflame ${line}`, by('U0BEN'))).answer()?.title).toMatch(/only admin, and somebody must be/)
  }
  await say('/pilotflame access grant U0ANNA admin', by('U0BEN'))
  const both = await Promise.all([
    say('/pilotflame access revoke U0ANNA', by('U0BEN')),
    say('/pilotflame access revoke U0BEN', by('U0ANNA')),
  ])
  expect(both.map((heard) => heard.answer()?.status)).toContain('done')
  const left = await store.grants()
  expect(left.ok ? left.value.map(({ role }) => role) : []).toEqual(['admin'])
})

test('who has a role is listed with where it comes from, admins first', async () => {
  const { say } = await open()
  await say('/pilotflame access grant U0BEN admin', ADMIN)
  const list = (await say('/pilotflame access list', by('U0ANNA'))).answer()
  expect(list?.title).toBe('2 admins, 2 operators')
  expect(list?.tables[0]?.rows).toEqual([
    ['Ada (U0ADMIN)', 'admin', 'pilotflame.yml', ''],
    ['Ben (U0BEN)', 'admin', 'T0:U0ADMIN', '2023-11-14'],
    ['U0OPS', 'operator', 'pilotflame.yml', ''],
    ['members of user group S0OPS', 'operator', 'pilotflame.yml', ''],
  ])
})

test('more than 1,000 grants are refused, not forgotten', async () => {
  const { say, store } = await open()
  for (let at = 0; at < 1_000; at += 1) {
    await store.addGrant({ person: { team: 'T0', id: `U${at}` }, role: 'operator', by: 'T0:U0ADMIN', at })
  }
  expect((await say('/pilotflame access grant U0BEN operator', ADMIN)).answer()?.title).toMatch(/1,000 grants/)
  expect((await say('/pilotflame access grant U0999 admin', ADMIN)).answer()?.status).toBe('refused')
  expect((await say('/pilotflame access grant U999 admin', ADMIN)).answer()?.status).toBe('done')
})

test('a grant that cannot be recorded is not given', async () => {
  const { say, store } = await open()
  const { addAudit } = store
  const full = { kind: 'store', thing: 'the store', observed: 'it is full', next: 'make room' } as const
  store.addAudit = async (line) => (line.result.includes('becomes') ? failed(full) : addAudit(line))
  const answer = (await say('/pilotflame access grant U0BEN operator', ADMIN)).answer()
  expect(answer).toMatchObject({
    status: 'failed',
    title: 'the store: it is full. Next: make room. Nothing was changed.',
  })
  expect(await store.grants()).toMatchObject({ value: [] })
})

test('a refusal names admins by name and id, or tells how the first one is made', async () => {
  const refused = async (house: Awaited<ReturnType<typeof open>>, how = by('U0BEN')) =>
    (await house.say('/pilotflame access grant U0BEN admin', how)).answer()?.title
  expect(await refused(await open())).toMatch(
    /T0:U0BEN is not admin.*access grant U0BEN admin.*Admins are: Ada \(U0ADMIN\)\.$/,
  )
  const elsewhere = { ...by('U0BEN'), place: { channel: 'C0ELSE', thread: null } }
  expect(await refused(await open(), elsewhere)).toMatch(/C0ELSE is not a channel.*Admins are: Ada \(U0ADMIN\)\.$/)
  const none = { ...policy, roles: { admins: [], operators: [], adminGroups: [], operatorGroups: [] } }
  expect(await refused(await open({ policy: none }))).toMatch(/Nobody is admin yet: .*pilotflame access code/)
  const group = { ...policy, roles: { ...policy.roles, admins: [], adminGroups: ['S0ADMINS'] } }
  expect(await refused(await open({ policy: group }))).toMatch(/Admins are: the members of user group S0ADMINS\.$/)
  const many = { ...policy, roles: { ...policy.roles, admins: ['T0:U1', 'T0:U2', 'T0:U3', 'T0:U4', 'T0:U5'] } }
  expect(await refused(await open({ policy: many }))).toMatch(/Admins are: U1, U2, U3, 2 more\.$/)
})

test('members of a group have its role, and nobody has where the group cannot be read', async () => {
  const roles = { admins: [], operators: [], adminGroups: ['S0OPS'], operatorGroups: [] }
  const fine = await open({ policy: { ...policy, roles } })
  expect((await fine.say('/pilotflame access grant U0BEN operator', by('U0OLA'))).answer()?.status).toBe('done')
  const away = { kind: 'config', thing: 'Slack user group S0OPS', observed: 'no plan', next: 'name people' } as const
  const closed = { ...directory, group: async () => failed<readonly string[]>(away) }
  const down = await open({ policy: { ...policy, roles }, directory: closed })
  const answer = (await down.say('/pilotflame access grant U0BEN operator', by('U0OLA'))).answer()
  expect(answer?.title).toMatch(/U0OLA is not admin, as far as could be read \(Slack user group S0OPS: no plan/)
})

test('what others may, and in other channels, is explained to admins alone', async () => {
  const { say } = await open()
  const other = (await say('/pilotflame access explain U0OPS smoke', by('U0BEN'))).answer()
  expect(other?.title).toMatch(/is shown to admins: T0:U0BEN is not admin/)
  const place = (await say('/pilotflame access explain smoke --channel C0ONE', by('U0BEN'))).answer()
  expect(place?.title).toMatch(/is shown to admins/)
  const asked = (await say('/pilotflame access explain U0GUEST smoke --channel C0ONE', ADMIN)).answer()
  expect(asked?.title).toBe('U0GUEST may not ask for smoke in C0ONE: guests of this workspace may not use Pilotflame')
  expect(asked?.tables[0]?.rows.map(([question, yes]) => `${question} ${yes}`)).toEqual([
    'Who? no',
    'Channel allowed? yes',
    'Only our own people there? yes',
    'Role? yes',
  ])
})

test('an explanation names no target that may not be used in the channel', async () => {
  const { say } = await open()
  const one = { place: { channel: 'C0ONE', thread: null } }
  const fine = (await say('/pilotflame access explain smoke --target qwen', { ...by('U0BEN'), ...one })).answer()
  expect(fine?.title).toBe('You may ask for smoke here')
  const not = (await say('/pilotflame access explain smoke --target llama', { ...by('U0BEN'), ...one })).answer()
  const none = (await say('/pilotflame access explain smoke --target nobody', { ...by('U0BEN'), ...one })).answer()
  expect(not?.title.replace('llama', 'X')).toBe(none?.title.replace('nobody', 'X'))
})

test('a lock and the need of a second person are told with a yes', async () => {
  const { say, store } = await open({ targets: [{ ...target('qwen'), protected: true }, target('llama')] })
  const owner = { team: 'T0', id: 'U0BEN', name: 'Ben' }
  const on = { kind: 'target', name: 'qwen' } as const
  await store.takeLock({ on, owner, reason: 'measuring', channel: 'C0GPU', at: 1_700_000_000_000, operation: null })
  const answer = (await say('/pilotflame access explain sglang restart --target qwen', by('U0OPS'))).answer()
  expect(answer?.title).toBe('You may ask for sglang restart here')
  expect(answer?.facts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Second person: must approve each change, since the target is protected',
    'target qwen: locked by Ben (U0BEN) since 2023-11-14 22:13 UTC, so changes are refused until then: measuring',
  ])
})

test('the name of an admin gives nothing', async () => {
  const { say } = await open()
  const person = { team: 'T0', id: 'U0EVE', name: 'U0ADMIN', kind: 'member' } as const
  expect((await say('/pilotflame access grant U0EVE admin', { person })).answer()?.status).toBe('refused')
})

test('a terminal is told that roles are a matter of the chat', async () => {
  const { say } = await open()
  const person = { team: 'local', id: 'me', name: 'me', kind: 'local' } as const
  const heard = await say('access list', { person, how: 'terminal', place: { channel: 'terminal', thread: null } })
  expect(heard.answer()?.title).toMatch(/chat; a terminal has none/)
})
