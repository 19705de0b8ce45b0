import { expect, test } from 'vitest'
import { redactSmoke } from '../../src/domain/redact/smoke.ts'
import { redactor } from '../../src/domain/redact.ts'
import type { Loop, Smoke } from '../../src/domain/smoke.ts'
import { healthy } from '../commands/house.ts'

const SECRET = ['hf', 'A1b2C3d4E5A1b2C3d4E5A1b2C3d4E5A1b2'].join('_')

const smoke: Smoke = {
  request: { prompt: `use ${SECRET}`, budget: 200, temperature: null, thinking: null, stream: true, model: null },
  completion: {
    ...healthy,
    reasoning: `thinking of ${SECRET}`,
    content: null,
    toolCalls: [{ name: 'login', arguments: `{"token":"${SECRET}"}` }],
    stop: SECRET,
    model: SECRET,
  },
  failure: {
    kind: 'http-status',
    thing: `target qwen (http://me:${SECRET}@h)`,
    observed: `it said ${SECRET}`,
    next: 'look',
    http: { status: 500, body: SECRET, complaint: { kind: 'server', message: SECRET } },
  },
  cut: null,
  stoppedBy: null,
  exchange: {
    url: `http://h/v1?api_key=${SECRET}`,
    request: `{"prompt":"use ${SECRET}"}`,
    status: 500,
    headers: { 'set-cookie': 'session=abc123', 'x-echo': SECRET, server: 'uvicorn' },
    response: SECRET,
    end: 'done',
  },
}

test('nothing of a smoke keeps a secret, and null stays null', () => {
  const clean = redactSmoke(smoke, redactor([]))
  expect(JSON.stringify(clean)).not.toContain('A1b2')
  expect(clean.completion).toMatchObject({ content: null, finish: 'stop' })
  expect(clean.exchange?.headers).toEqual({ 'set-cookie': '[redacted]', 'x-echo': '[redacted]', server: 'uvicorn' })
})

const loop = (unit: string, from: number): Loop => {
  return { channel: 'content', unit, period: unit.length, copies: 9, from, certain: true, signal: 'period' }
}

test('a repeated secret is not quoted, wherever its unit begins', () => {
  const copy = `my key is ${SECRET}, `
  const content = copy.repeat(9)
  for (let from = 0; from < copy.length; from += 1) {
    const cut = loop(content.slice(from, from + copy.length), from)
    const clean = redactSmoke({ ...smoke, completion: { ...healthy, content }, cut }, redactor([]))
    expect(clean.cut?.unit, `from ${from}`).toBe('[redacted]')
  }
})

test('any other unit is quoted as it is', () => {
  const cut = loop('2 + 2 = 2.', 0)
  const clean = redactSmoke({ ...smoke, completion: { ...healthy, content: cut.unit.repeat(9) }, cut }, redactor([]))
  expect(clean.cut).toEqual(cut)
})
