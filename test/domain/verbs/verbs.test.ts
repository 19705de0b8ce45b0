import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { lineOf } from '../../../src/domain/gate/line.ts'
import type { GateReply } from '../../../src/domain/gate.ts'
import { verbs } from '../../../src/domain/verbs/index.ts'
import { random } from '../../random.ts'
import type { Good } from './good.ts'
import { GOOD } from './good.ts'
import { INVOCATION, PACKED, reply } from './replies.ts'

const WORDS: Readonly<Record<string, string>> = {
  log: `sglang lines 200 since 1767225000 invocation ${INVOCATION} after ${PACKED}`,
  listeners: '30000',
  process: '4300',
  kill: `sglang 12.active-${INVOCATION} 4300 127756 llm TERM`,
  variant: `sglang 12.active-${INVOCATION} eagle`,
  restart: `sglang 12.active-${INVOCATION}`,
  opstat: INVOCATION,
  disk: 'sglang',
  unit: 'sglang',
}

test('every verb has a good answer here, and only a verb has', () => {
  const names = verbs.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(GOOD.map(({ name }) => name).toSorted()).toEqual(names.filter((name) => name !== 'follow').toSorted())
})

test('those that change the host say so', () => {
  const changing = verbs.filter(({ access }) => access === 'operate').map(({ name }) => name)
  expect(changing.toSorted()).toEqual(['kill', 'reset-failed', 'restart', 'start', 'stop', 'variant'])
})

/** `follow` goes on for as long as it was told; `host-health` asks its tools one after the other. */
const LONG: Readonly<Record<string, number>> = { follow: 610_000, 'host-health': 40_000 }

test('each verb ends on the host before it is given up here', () => {
  for (const { name, access, deadlineMs } of verbs)
    expect(deadlineMs, name).toBe(LONG[name] ?? (access === 'read' ? 25_000 : 45_000))
})

describe.each(GOOD)('$name', (good) => {
  test('reads a good answer', () => {
    expect(good.parse(good.answer)).toMatchObject({ ok: true })
  })

  test('sends words that may be sent', () => {
    expect(lineOf(good.name, INVOCATION, good.words)).toMatchObject({ ok: true })
    const wanted = WORDS[good.name]
    if (wanted !== undefined) expect(good.words.join(' ')).toBe(wanted)
  })

  test('2,000 mutations never throw and never make a number that is none', () => {
    for (let seed = 0; seed < 2_000; seed += 1) {
      const read = good.parse(mutated(good, seed))
      expect(oddIn(read), `${good.name} ${seed}`).toBeNull()
    }
  })
})

test.each(GOOD.filter(({ name }) => name !== 'units'))('$name fails where the gate sent something else', (good) => {
  expect(good.parse(reply({ other: 'x' }))).toMatchObject({
    ok: false,
    failure: { kind: 'gate-garbled', thing: expect.stringMatching(/^section /) },
  })
})

test.each(['run', 'fits'])('the gate knows the same verbs in its function %s', (name) => {
  const gate = readFileSync(new URL('../../../deploy/host/pilotflame-gate', import.meta.url), 'utf8')
  const body = new RegExp(String.raw`^${name}\(\) \{[^\n]*\n([\s\S]*?)^\}`, 'm').exec(gate)?.[1] ?? ''
  const known = [...body.matchAll(/^ {4}([a-z][a-z |-]*)\)/gm)].flatMap(([, names = '']) => names.split(' | '))
  expect(known.toSorted()).toEqual(verbs.map((verb) => verb.name).toSorted())
})

const PIECES = [
  '\0',
  ' ',
  ',',
  '=',
  '-',
  '.',
  '\n',
  '"',
  '{',
  '[',
  ':',
  '9',
  '99999999999999999999',
  'e9',
  'NaN',
  '-1',
  '[N/A]',
  '€',
  '\uD800',
]

function mutated(good: Good, seed: number): GateReply {
  const { below, pick } = random(seed)
  const sections = good.answer.sections.map((section) => {
    if (below(3) === 0) return section
    let text = section.text
    for (let times = 1 + below(6); times > 0; times -= 1) {
      const at = below(text.length + 1)
      const gone = below(4) === 0 ? below(40) : below(2)
      text = text.slice(0, at) + (pick(PIECES) ?? '') + text.slice(at + gone)
    }
    const rc = below(10) === 0 ? below(256) : section.rc
    return { ...section, text, rc, truncated: below(20) === 0 }
  })
  return { ...good.answer, sections: below(20) === 0 ? sections.slice(1) : sections }
}

/** The first thing in a value that no parser may give: a number that is not finite, undefined. JSON may hold 1e999. */
function oddIn(value: unknown, path = ''): string | null {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return `${path} is ${value}`
  if (typeof value !== 'object' || value === null || /[cC]onfig\.value$/.test(path)) return null
  for (const [key, inner] of Object.entries(value)) {
    const odd = oddIn(inner, `${path}.${key}`)
    if (odd !== null) return odd
  }
  return null
}
