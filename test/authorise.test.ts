import { describe, expect, test } from 'vitest'
import { allowedHere, authorise } from '../src/authorise.ts'
import type { Ask, Person } from '../src/domain/ask.ts'
import type { Access } from '../src/domain/command.ts'

const policy = {
  roles: { admins: ['T0:U0ADMIN'], operators: ['T0:U0OPS'] },
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
  test.each(rows)(
    '$who.person.kind $who.person.id in $who.place.channel, $access → $refused',
    ({ who, access, refused }) => {
      const decision = authorise(who, access, policy)
      expect(decision.ok).toBe(refused === null)
      if (!decision.ok && refused !== null) expect(decision.reason).toMatch(refused)
    },
  )

  test('a name never decides', () => {
    const named = ask('U0ANNA')
    expect(authorise({ ...named, person: { ...named.person, name: 'U0ADMIN' } }, 'admin', policy).ok).toBe(false)
  })

  test('a refusal in a foreign channel names no target', () => {
    const decision = authorise(ask('U0ANNA', 'member', 'C0ELSE'), 'read', policy)
    expect(decision.ok ? '' : decision.reason).not.toContain('qwen')
  })
})

test.each([
  ['C0GPU', 'anything', true],
  ['C0ONE', 'qwen', true],
  ['C0ONE', 'other', false],
  ['C0ELSE', 'qwen', false],
  ['terminal', 'qwen', true],
])('allowedHere(%s, %s) is %s', (channel, name, allowed) => {
  expect(allowedHere(channel, name, policy)).toBe(allowed)
})
