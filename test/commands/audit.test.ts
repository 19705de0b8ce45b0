import { expect, test } from 'vitest'
import { folded } from '../../src/commands/audit/folded.ts'
import type { Ask } from '../../src/domain/ask.ts'
import { ok } from '../../src/domain/outcome.ts'
import type { Audit } from '../../src/domain/store.ts'
import { CHANNEL, openHouse, target } from './house.ts'

const policy = {
  roles: { admins: ['T0:U0ADMIN'], operators: [], adminGroups: [], operatorGroups: [] },
  channels: [
    { id: CHANNEL, targets: [], target: 'qwen' },
    { id: 'C0ONE', targets: ['llama'], target: null },
  ],
}

function by(id: string, channel = CHANNEL): Partial<Ask> {
  return { person: { team: 'T0', id, name: id, kind: 'member' }, place: { channel, thread: null } }
}

async function open() {
  return openHouse({ policy, targets: [target('qwen'), target('llama')] })
}

test('every ask is in it, also refused and unknown ones, newest first, and never a prompt', async () => {
  const { say } = await open()
  await say('/smoke "typed words"', by('U0ANNA'))
  await say('/pilotflame florble typed words', by('U0ANNA'))
  await say('/smoke "typed words"', by('U0BEN', 'C0ELSE'))
  await say('/smoke "typed words"', { person: { team: 'T9', id: 'U0EVE', name: 'Eve', kind: 'outsider' } })
  await say('/pilotflame audit', by('U0ANNA'))
  const answer = (await say('/pilotflame audit', by('U0ADMIN'))).answer()
  expect(answer?.tables[0]?.columns).toEqual(['When', 'Who', 'What', 'Target', 'Where', 'Result'])
  expect(answer?.tables[0]?.rows.map((row) => row.slice(1).join(' | '))).toEqual([
    'U0ADMIN | audit |  | C0GPU | started',
    'U0ANNA | audit |  | C0GPU | refused: no role',
    'U0EVE | smoke |  | C0GPU | refused: outsider',
    'U0BEN | smoke |  | C0ELSE | refused: channel not listed',
    'U0ANNA | unknown |  | C0GPU | refused: usage',
    'U0ANNA | smoke | qwen | C0GPU | healthy',
  ])
  expect(answer?.tables[0]?.rows[0]?.[0]).toBe('14\u00a0Nov\u00a022:13')
  expect(JSON.stringify(answer)).not.toContain('typed words')
})

test('a channel is told of no target that may not be used there', async () => {
  const { say } = await open()
  await say('/smoke "Hi"', by('U0ANNA'))
  const answer = (await say('/pilotflame audit', by('U0ADMIN', 'C0ONE'))).answer()
  expect(JSON.stringify(answer?.tables)).toContain('(not used here)')
  expect(JSON.stringify(answer?.tables)).not.toContain('qwen')
})

test('as many as are wanted, and of one person', async () => {
  const { say } = await open()
  for (let at = 0; at < 30; at += 1) await say('/pilotflame whoami', by(at % 2 === 0 ? 'U0ANNA' : 'U0BEN'))
  const rows = async (line: string) =>
    (await say(`/pilotflame ${line}`, by('U0ADMIN'))).answer()?.tables[0]?.rows.map((row) => row[1] ?? '') ?? []
  expect(await rows('audit')).toHaveLength(20)
  expect(await rows('audit --last 3')).toHaveLength(3)
  expect(new Set(await rows('audit --person U0BEN --last 200'))).toEqual(new Set(['U0BEN']))
  expect(await rows('audit --person <@U0BEN|ben> --last 200')).toHaveLength(15)
})

test.each([
  ['audit --last 0', /last/],
  ['audit --last 201', /last/],
  ['audit --person ben', /no member id/],
])('%s is refused in a sentence', async (line, words) => {
  const { say } = await open()
  expect((await say(`/pilotflame ${line}`, by('U0ADMIN'))).answer()).toMatchObject({
    status: 'usage',
    title: expect.stringMatching(words),
  })
})

test('at the machine it may be read as well', async () => {
  const { say } = await open()
  await say('/pilotflame whoami', by('U0ANNA'))
  const person = { team: 'local', id: 'me', name: 'me', kind: 'local' } as const
  const terminal = { person, how: 'terminal', place: { channel: 'terminal', thread: null } } as const
  const answer = (await say('audit --person U0ANNA', terminal)).answer()
  expect(answer?.tables[0]?.rows.map((row) => row[2])).toEqual(['whoami'])
})

test('of one target, of one command, with the name of who asked beside the id', async () => {
  const directory = {
    group: async () => ok([]),
    shared: async () => ok(false),
    person: async (id: string) => ok({ name: id === 'U0ANNA' ? 'Anna' : id, kind: 'member' as const }),
  }
  const { say } = await openHouse({ policy, targets: [target('qwen'), target('llama')], directory })
  await say('/smoke "Hi" --target llama', by('U0ANNA'))
  await say('/sglang lock qwen measuring', by('U0ADMIN'))
  await say('/sglang locks', by('U0ANNA'))
  const rows = async (line: string) =>
    (await say(`/pilotflame ${line}`, by('U0ADMIN'))).answer()?.tables[0]?.rows.map((row) => `${row[1]}: ${row[2]}`)
  expect(await rows('audit --target llama')).toEqual(['Anna (U0ANNA): smoke'])
  expect(await rows('audit --command sglang')).toEqual(['Anna (U0ANNA): sglang locks', 'U0ADMIN: sglang lock'])
  expect(await rows('audit --command "sglang lock" --person U0ADMIN')).toEqual(['U0ADMIN: sglang lock'])
  const none = (await say('/pilotflame audit --target gone', by('U0ADMIN'))).answer()
  expect(none).toMatchObject({ title: 'No audit line of gone is kept', tables: [] })
})

const kept = (result: string, given: Partial<Audit> = {}): Audit => ({
  at: 1,
  person: { team: 'T0', id: 'U0ANNA' },
  place: { channel: CHANNEL, thread: null },
  command: 'sglang restart',
  target: 'qwen',
  decision: 'allowed',
  result,
  ...given,
})

test.each<[string, readonly (readonly [ask: string, result: string])[], readonly string[]]>([
  [
    'an ask that ended',
    [
      ['a', 'healthy'],
      ['a', 'started'],
    ],
    ['healthy'],
  ],
  [
    'two at once',
    [
      ['a', 'healthy'],
      ['b', 'broken'],
      ['b', 'started'],
      ['a', 'started'],
    ],
    ['healthy', 'broken'],
  ],
  ['one that a crash cut off', [['a', 'started']], ['started']],
  [
    'one that a crash cut off before another',
    [
      ['b', 'healthy'],
      ['b', 'started'],
      ['a', 'started'],
    ],
    ['healthy', 'started'],
  ],
  [
    'one that a crash cut off before a refusal',
    [
      ['b', 'refused: no role'],
      ['a', 'started'],
    ],
    ['refused: no role', 'started'],
  ],
  [
    'one that a crash cut off while another ran',
    [
      ['a', 'healthy'],
      ['b', 'started'],
      ['a', 'started'],
    ],
    ['healthy', 'started'],
  ],
  [
    'a change',
    [
      ['b', 'done: Restarted'],
      ['b', 'confirmed'],
      ['a', 'asked (own)'],
      ['a', 'started'],
    ],
    ['done: Restarted', 'confirmed', 'asked (own)'],
  ],
  [
    'a plan that a crash cut off before a change',
    [
      ['c', 'done: Restarted'],
      ['c', 'confirmed'],
      ['b', 'asked (own)'],
      ['b', 'started'],
      ['a', 'started'],
    ],
    ['done: Restarted', 'confirmed', 'asked (own)', 'started'],
  ],
  [
    'a plan that was cancelled',
    [
      ['c', 'cancelled'],
      ['b', 'asked (own)'],
      ['b', 'started'],
      ['a', 'started'],
    ],
    ['cancelled', 'asked (own)', 'started'],
  ],
  [
    'one that two others kept from running',
    [
      ['b', 'busy'],
      ['a', 'started'],
    ],
    ['busy', 'started'],
  ],
])('%s: a line for each ask, and “started” only where no end came', (_, lines, shown) => {
  const found = folded(lines.map(([ask, result]) => kept(result, { ask })))
  expect(found.map(({ result }) => result)).toEqual(shown)
})

test('what an older version kept names no ask, and is shown as it is', () => {
  const lines = [kept('healthy', { ask: 'a' }), kept('done'), kept('started')]
  expect(folded(lines)).toEqual(lines)
})

test('of a person who was refused after a crash, both asks are shown, and one that ended is told once', async () => {
  const { say, store } = await open()
  await store.addAudit(kept('started', { ask: 'before the crash', command: 'smoke' }))
  await say('/smoke "Hi"', by('U0EVE', 'C0ELSE'))
  await say('/smoke "Hi" --budget none', by('U0ANNA'))
  await say('/smoke "Hi"', by('U0ANNA'))
  const answer = (await say('/pilotflame audit --command smoke', by('U0ADMIN'))).answer()
  expect(answer?.tables[0]?.rows.map((row) => `${row[1]} ${row[5]}`)).toEqual([
    'U0ANNA healthy',
    'U0ANNA refused: usage',
    'U0EVE refused: channel not listed',
    'U0ANNA started',
  ])
})

test('a lock that refused is named, whether a lock or a change was wanted; not where its target is not used', async () => {
  const roles = { ...policy.roles, operators: ['T0:U0BEN'] }
  const { say } = await openHouse({ policy: { ...policy, roles }, targets: [target('qwen'), target('llama')] })
  await say('/sglang lock qwen measuring', by('U0ADMIN'))
  await say('/sglang lock qwen tuning', by('U0BEN'))
  await say('/sglang restart qwen', by('U0BEN'))
  const rows = async (channel: string) =>
    (await say('/pilotflame audit --person U0BEN', by('U0ADMIN', channel)))
      .answer()
      ?.tables[0]?.rows.map((row) => row[5])
  expect(await rows(CHANNEL)).toEqual([
    'refused: qwen is locked by U0ADMIN',
    'refused: Not locked: U0ADMIN locked qwen just now: “measuring”',
  ])
  expect(await rows('C0ONE')).toEqual(['refused', 'refused'])
})

test('a refusal is told once, and without what to do next', async () => {
  const { say, store } = await open()
  const result = 'refused: qwen is locked. Next: ask Ben'
  await store.addAudit(kept(result, { decision: 'refused' }))
  await store.addAudit(kept('refused', { decision: 'refused' }))
  const answer = (await say('/pilotflame audit --target qwen', by('U0ADMIN'))).answer()
  expect(answer?.tables[0]?.rows.map((row) => row[5])).toEqual(['refused', 'refused: qwen is locked'])
})
