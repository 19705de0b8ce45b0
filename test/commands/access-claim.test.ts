import { expect, test } from 'vitest'
import { accessCode, codeCheck } from '../../src/app/access-code.ts'
import { codeInGroups, codeKey } from '../../src/domain/access-code.ts'
import type { Ask, Person } from '../../src/domain/ask.ts'
import type { Roles } from '../../src/domain/config.ts'
import type { Failure } from '../../src/domain/failure.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { Directory } from '../../src/domain/role.ts'
import { CHANNEL, openHouse } from './house.ts'

const KEY = { botToken: 'xoxb-1', appToken: 'xapp-1' }
const START = 1_700_000_000_000
const MINUTE = 60_000

const nobody: Roles = { admins: [], operators: [], adminGroups: [], operatorGroups: [] }

function by(id: string, kind: Person['kind'] = 'member'): Partial<Ask> {
  return { person: { team: 'T0', id, name: id, kind } }
}

async function open(roles: Partial<Roles> = {}, group?: Directory['group']) {
  let wall = START
  const policy = { roles: { ...nobody, ...roles }, channels: [{ id: CHANNEL, targets: [], target: null }] }
  const code = codeCheck(KEY, { now: () => wall })
  const person: Directory['person'] = async (id) => ok({ name: id, kind: 'member' })
  const directory = group === undefined ? {} : { directory: { group, person, shared: async () => ok(false) } }
  const house = await openHouse({ policy, code, ...directory })
  const claim = async (given: string, how: Partial<Ask> = by('U0ANNA')) =>
    (await house.say(`/pilotflame access claim ${given}`, how)).answer()
  const admins = async () => {
    const read = await house.store.grants()
    return read.ok ? read.value.map(({ person, role, by: giver }) => `${person.id} ${role} ${giver}`) : []
  }
  const step = (ms: number): void => {
    wall += ms
  }
  return { ...house, claim, admins, step }
}

const right = codeInGroups(accessCode(KEY, START))

test('the code makes whoever types it admin, seen by the channel and recorded without the code', async () => {
  const { claim, admins, store } = await open()
  expect(await claim(right)).toMatchObject({
    status: 'done',
    seenBy: 'channel',
    title: expect.stringMatching(/U0ANNA.*admin/),
  })
  expect(await admins()).toEqual(['U0ANNA admin code'])
  const audits = await store.audits(10)
  expect(JSON.stringify(audits)).toContain('T0:U0ANNA becomes admin')
  expect(JSON.stringify(audits)).not.toContain(right.slice(0, 5))
})

test.each([
  ['small letters', right.toLowerCase()],
  ['no dash', right.replace('-', '')],
  ['a space', right.replace('-', ' ')],
  ['O for 0 and I for 1', right.replaceAll('0', 'o').replaceAll('1', 'I')],
])('a code typed with %s is the same', async (_, given) => {
  expect((await (await open()).claim(given))?.status).toBe('done')
})

test('while there is an admin, no code is looked at', async () => {
  const second = await open()
  await second.claim(right)
  expect((await second.claim(right, by('U0BEN')))?.title).toMatch(/There is an admin already.*access list/)
  expect((await second.claim('WRONG-WRONG', by('U0BEN')))?.title).toMatch(/There is an admin already/)
  const others: readonly Partial<Roles>[] = [{ admins: ['T0:U0ADMIN'] }, { adminGroups: ['S0ADMINS'] }]
  for (const roles of others) {
    const { claim, admins } = await open(roles, async () => ok(['U0ADMIN']))
    expect((await claim(right))?.title).toMatch(/There is an admin already/)
    expect(await admins()).toEqual([])
  }
})

test('of twenty who type it at once, one becomes admin', async () => {
  const { claim, admins } = await open()
  const all = await Promise.all(Array.from({ length: 20 }, (_, at) => claim(right, by(`U0N${at}`))))
  expect(all.filter((one) => one?.status === 'done')).toHaveLength(1)
  expect(await admins()).toHaveLength(1)
})

test('a code works once, also where its admin is gone by then', async () => {
  const { claim, store, admins } = await open()
  await claim(right)
  await store.dropGrant({ team: 'T0', id: 'U0ANNA' })
  expect((await claim(right, by('U0BEN')))?.title).toMatch(
    /works once, and made somebody admin before, or was read by others/,
  )
  expect(await admins()).toEqual([])
})

test('five wrong ones are the last for 15 minutes, for that person alone, also for the right one', async () => {
  const { claim, admins, wait } = await open()
  for (let at = 0; at < 5; at += 1) expect((await claim(`WRNG${at}-WRNG0`))?.title).toMatch(/not a code of this bot/)
  expect((await claim(right))?.title).toMatch(/not looked at for 15 minutes/)
  wait(15 * MINUTE - 1)
  expect((await claim(right))?.title).toMatch(/not looked at for 15 minutes/)
  expect(await admins()).toEqual([])
  wait(1)
  expect((await claim(right))?.status).toBe('done')
})

test('wrong ones of one person hold up nobody else, and 50 at once are counted', async () => {
  const { claim } = await open()
  const all = await Promise.all(Array.from({ length: 50 }, (_, at) => claim(`WRNG${at}`)))
  expect(all.filter((one) => /not a code of this bot/.test(one?.title ?? ''))).toHaveLength(5)
  expect((await claim(right, by('U0BEN')))?.status).toBe('done')
})

test.each([
  ['as it is made', 0, 'done'],
  ['at its last moment', 10 * MINUTE, 'done'],
  ['after eleven minutes', 11 * MINUTE, /has expired.*pilotflame access code/],
  ['after an hour', 60 * MINUTE, /has expired/],
  ['after a day', 24 * 60 * MINUTE, /not a code of this bot/],
  ['by a clock that is a minute behind', -MINUTE, 'done'],
  ['after the clock stepped back an hour', -60 * MINUTE, /not a code of this bot/],
])('a code %s', async (_, later, expected) => {
  const { claim, step } = await open()
  step(later)
  const answer = await claim(right)
  if (typeof expected === 'string') expect(answer?.status).toBe(expected)
  else expect(answer?.title).toMatch(expected)
})

test('a step of the clock frees nobody who must wait', async () => {
  const { claim, step } = await open()
  for (let at = 0; at < 5; at += 1) await claim(`WRNG${at}`)
  step(60 * MINUTE)
  expect((await claim(codeInGroups(accessCode(KEY, START + 60 * MINUTE))))?.title).toMatch(/not looked at/)
})

test.each(['guest', 'outsider', 'bot', 'unknown'] as const)('a %s becomes nothing', async (kind) => {
  const { claim, admins } = await open()
  expect((await claim(right, by('U0GIL', kind)))?.status).toBe('refused')
  expect(await admins()).toEqual([])
})

test('whoever was looked up long ago becomes nothing', async () => {
  const { claim, admins } = await open()
  const person = { team: 'T0', id: 'U0ANNA', name: 'Anna', kind: 'member', stale: true } as const
  expect((await claim(right, { person }))?.title).toMatch(/does not show you as a full member/)
  expect(await admins()).toEqual([])
})

test('a code that others could read is void', async () => {
  const { claim, admins } = await open()
  const spoilt = await claim(right, { ...by('U0ANNA'), how: 'mention' })
  expect(spoilt?.title).toMatch(/void.*\/pilotflame access claim CODE/)
  expect((await claim(right, by('U0EVE')))?.title).toMatch(/works once/)
  expect(await admins()).toEqual([])
})

test('of what others could read only a right code leaves a trace', async () => {
  const { claim, store } = await open()
  for (let at = 0; at < 20; at += 1) {
    const spoilt = await claim(`ABCDE-1234${at % 10}`, { ...by(`U0EVE${at}`, 'unknown'), how: 'mention' })
    expect(spoilt?.title).toMatch(/void/)
  }
  for (let at = 0; at < 10; at += 1) {
    expect(await store.firstTime(codeKey(`ABCDE-1234${at}`), START)).toEqual({ ok: true, value: true })
  }
})

test('without tokens there are no codes', async () => {
  const { say } = await openHouse({ code: codeCheck(null, { now: () => START }) })
  expect((await say(`/pilotflame access claim ${right}`)).answer()?.title).toMatch(/without Slack tokens/)
})

const failure = (kind: Failure['kind']): Failure => ({ kind, thing: 'user group S0OPS', observed: 'no', next: 'look' })

test.each<[string, Directory['group'], string, readonly string[]]>([
  ['has a member', async () => ok(['U0BEN']), 'There is an admin already', []],
  ['is empty', async () => ok([]), 'is admin of Pilotflame now', ['U0ANNA admin code']],
  ['is none', async () => failed(failure('config')), 'is admin of Pilotflame now', ['U0ANNA admin code']],
  ['cannot be read now', async () => failed(failure('lost')), 'Nobody was made admin', []],
])('where only a user group is admin, and it %s', async (_, group, says, left) => {
  const { claim, admins } = await open({ adminGroups: ['S0OPS'] }, group)
  expect((await claim(right))?.title).toContain(says)
  expect(await admins()).toEqual(left)
})
