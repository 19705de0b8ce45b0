import { expect, test } from 'vitest'
import type { Ask } from '../../src/domain/ask.ts'
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
    'U0ANNA | smoke | qwen | C0GPU | started',
  ])
  expect(answer?.tables[0]?.rows[0]?.[0]).toBe('2023-11-14 22:13:20')
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
  expect(await rows('audit --person <@U0BEN|ben> --last 200')).toHaveLength(30)
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
  expect(answer?.tables[0]?.rows.map((row) => row[2])).toEqual(['whoami', 'whoami'])
})
