import { describe, expect, test } from 'vitest'
import type { Known, Refused } from '../src/authorise.ts'
import { allowedHere, authorise, hostsHere, weigh } from '../src/authorise.ts'
import type { Ask, Person } from '../src/domain/ask.ts'
import type { Access, Held } from '../src/domain/role.ts'

const policy = {
  roles: { admins: ['T0:U0ADMIN'], operators: ['T0:U0OPS'], adminGroups: [], operatorGroups: [] },
  channels: [
    { id: 'C0GPU', targets: [], target: null },
    { id: 'C0ONE', targets: ['qwen'], target: 'qwen' },
  ],
}

function ask(id: string, kind: Person['kind'] = 'member', channel = 'C0GPU', team = 'T0'): Ask {
  const said = { form: 'plain', word: null, text: '' } as const
  return {
    id: '1',
    how: 'slash',
    said,
    person: { team, id, name: 'Name', kind },
    place: { channel, thread: null },
    attempt: null,
    at: 0,
  }
}

const roles: Readonly<Record<string, Held['role']>> = { 'T0:U0ADMIN': 'admin', 'T0:U0OPS': 'operator' }

function known({ person }: Ask): Known {
  return {
    held: { role: roles[`${person.team}:${person.id}`] ?? null, from: 'pilotflame.yml', unsure: null },
    shared: false,
  }
}

interface Row {
  readonly who: Ask
  readonly access: Access
  /** null: allowed; else what the reason must say */
  readonly refused: RegExp | null
}

const rows: readonly Row[] = [
  { who: ask('U0ANNA'), access: 'read', refused: null },
  { who: ask('U0ANNA', 'unknown'), access: 'read', refused: /full member/ },
  { who: ask('U0ANNA', 'unknown'), access: 'anyone', refused: null },
  { who: ask('U0ANNA', 'member', 'C0ELSE'), access: 'read', refused: /C0ELSE.*slack\.channels/ },
  { who: ask('U0ANNA', 'member', 'C0ELSE'), access: 'anyone', refused: null },
  { who: ask('U0ANNA', 'guest'), access: 'anyone', refused: /guests/ },
  { who: ask('U0ANNA', 'outsider'), access: 'anyone', refused: /another organisation/ },
  { who: ask('U0BOT', 'bot'), access: 'read', refused: /bots/ },
  { who: ask('U0ANNA'), access: 'operate', refused: /T0:U0ANNA.*roles\.operators/ },
  { who: ask('U0OPS'), access: 'operate', refused: null },
  { who: ask('U0OPS'), access: 'admin', refused: /roles\.admins/ },
  { who: ask('U0ADMIN'), access: 'operate', refused: null },
  { who: ask('U0ADMIN'), access: 'admin', refused: null },
  { who: ask('U0OPS', 'unknown'), access: 'operate', refused: /full member/ },
  { who: ask('U0OPS', 'member', 'C0GPU', 'T9'), access: 'operate', refused: /T9:U0OPS/ },
  { who: ask('U0OPS', 'member', 'C0ELSE'), access: 'operate', refused: /C0ELSE/ },
  { who: ask('me', 'local', 'terminal'), access: 'admin', refused: null },
]

describe('authorise', () => {
  test.each(rows)('$who.person.kind $who.person.id in $who.place.channel, $access → $refused', (row) => {
    expect(said(authorise(row.who, row.access, policy, known(row.who)))).toMatch(row.refused ?? /^$/)
  })
})

test('a name never decides', () => {
  const named = ask('U0ANNA')
  const renamed = { ...named, person: { ...named.person, name: 'U0ADMIN' } }
  expect(authorise(renamed, 'admin', policy, known(renamed))?.why).toBe('no role')
})

test('a refusal in a foreign channel names no target', () => {
  const refused = authorise(ask('U0ANNA', 'member', 'C0ELSE'), 'read', policy, known(ask('U0ANNA')))
  expect(said(refused)).not.toBe('')
  expect(said(refused)).not.toContain('qwen')
})

test.each([
  [true, 'operate', 'shared channel'],
  [true, 'admin', 'shared channel'],
  [null, 'operate', 'channel unknown'],
  [null, 'read', undefined],
  [true, 'read', undefined],
] as const)('people of other organisations there: %s, %s → %s', (shared, access, why) => {
  const admin = ask('U0ADMIN')
  expect(authorise(admin, access, policy, { ...known(admin), shared })?.why).toBe(why)
})

test('in a direct message that is listed people look, and change nothing', () => {
  const admin = ask('U0ADMIN', 'member', 'D0ADMIN')
  const listed = { ...policy, channels: [{ id: 'D0ADMIN', targets: [], target: null }] }
  expect(authorise(admin, 'read', listed, known(admin))).toBeUndefined()
  for (const access of ['operate', 'admin'] as const) {
    for (const shared of [false, null]) {
      const refused = authorise(admin, access, listed, { ...known(admin), shared })
      expect(refused?.why).toBe('direct message')
      expect(said(refused)).toContain('nobody else sees it')
    }
  }
})

test('who was looked up long ago may look and change nothing', () => {
  const admin = ask('U0ADMIN')
  const stale = { ...admin, person: { ...admin.person, stale: true } }
  expect(authorise(stale, 'read', policy, known(stale))).toBeUndefined()
  expect(authorise(stale, 'operate', policy, known(stale))?.why).toBe('unknown person')
})

test('a role that may only be missing since something was not read says so', () => {
  const anna = ask('U0ANNA')
  const held = { role: null, from: '', unsure: 'Slack user group S0OPS: not read. Next: wait.' }
  expect(said(authorise(anna, 'operate', policy, { held, shared: false }))).toContain('S0OPS: not read')
})

test('every question is answered, also after the first no', () => {
  const guest = ask('U0GUEST', 'guest', 'C0ELSE')
  const steps = weigh(guest, 'operate', policy, { ...known(guest), shared: true })
  expect(steps.map(({ about, ok }) => `${about} ${ok}`)).toEqual([
    'person false',
    'channel false',
    'company false',
    'role false',
  ])
})

function said(refused: Refused | undefined): string {
  return refused === undefined ? '' : `${refused.says}. Next: ${refused.next}.`
}

test.each([
  ['C0GPU', 'anything', true],
  ['C0ONE', 'qwen', true],
  ['C0ONE', 'other', false],
  ['C0ELSE', 'qwen', false],
  ['terminal', 'qwen', true],
])('allowedHere(%s, %s) is %s', (channel, name, allowed) => {
  expect(allowedHere(channel, name, policy)).toBe(allowed)
})

test.each([
  ['C0GPU', ['box', 'spare', 'free']],
  ['C0ONE', ['box']],
  ['C0ELSE', []],
  ['terminal', ['box', 'spare', 'free']],
])('in %s the hosts %j may be looked at', (channel, hosts) => {
  const on = [{ host: 'box' }, { host: null }, { host: 'gone' }]
  const targets = allowedHere(channel, 'qwen', policy) ? on : []
  expect(hostsHere(channel, targets, { hosts: ['box', 'spare', 'free'], policy })).toEqual(hosts)
})
