import { expect, test } from 'vitest'
import { cards } from '../../../src/domain/verbs/index.ts'
import { cut, processLine, reply } from './replies.ts'

const HOST = 'tool=amd-smi\ntime=1767225600\ncontainer=none\n'
const read = (sections: Parameters<typeof reply>[0]) => cards.parse(reply({ host: HOST, units: '', ...sections }), {})

test('everything of one round trip', () => {
  const processes = `${processLine(4242, 1, ['python'])}\n`
  const units = 'qwen sglang.service\nsmall vllm@small.service\nqwen other.service\nno\n'
  expect(read({ units, cards: 'a\n\n  b\n', apps: [1, 'oops\n'], processes })).toEqual({
    ok: true,
    value: {
      tool: 'amd-smi',
      cards: { text: 'a\n  b', rc: 0 },
      apps: { text: 'oops', rc: 1 },
      processes: [expect.objectContaining({ pid: 4242 })],
      units: { qwen: 'sglang.service', small: 'vllm@small.service' },
      at: 1_767_225_600_000,
      place: 'host',
    },
  })
})

test('a tool that fails, hangs, or still runs since an earlier call is an answer', () => {
  const nothing = { apps: null, processes: [], units: {} }
  expect(read({ cards: [9, 'no driver\n'] })).toMatchObject({
    ok: true,
    value: { cards: { text: 'no driver', rc: 9 }, ...nothing },
  })
  expect(read({ cards: [124, ''] })).toMatchObject({ ok: true, value: { cards: { text: '', rc: 124 }, ...nothing } })
  for (const unasked of ['held', 'in-use']) {
    const wanted = { ok: true, value: { cards: null, unasked, ...nothing } }
    expect(read({ [unasked]: '/usr/bin/amd-smi\n' })).toMatchObject(wanted)
  }
})

test('the last line of an answer that was cut is left out', () => {
  const { sections } = cut('cards', 'whole\nhal')
  const answer = { ...reply({ host: HOST }), sections: [...reply({ host: HOST }).sections, ...sections] }
  expect(cards.parse(answer, {})).toMatchObject({ ok: true, value: { cards: { text: 'whole' } } })
})

test.each([
  ['container=docker', 'container'],
  ['container=lxc', 'container'],
  ['container=wsl', 'host'],
  ['container=none', 'host'],
  ['container=', 'host'],
  ['other=1', 'host'],
])('%s: it runs on a %s', (line, place) => {
  expect(read({ host: `tool=rocm-smi\n${line}\n`, cards: '' })).toMatchObject({ value: { place, at: null } })
})

test.each([
  ['section host', { host: 'tool=nvtop\n', cards: '' }],
  ['section host', { host: 'time=1\n', cards: '' }],
  ['section cards', {}],
])('%s is missing or says what nobody knows', (thing, sections) => {
  expect(read(sections)).toMatchObject({ ok: false, failure: { kind: 'gate-garbled', thing } })
})
