import { describe, expect, test } from 'vitest'
import { smokeActions } from '../../../src/commands/smoke/actions.ts'
import type { Code } from '../../../src/domain/code.ts'
import type { Evidence, Finding } from '../../../src/domain/finding.ts'
import type { Exchange } from '../../../src/domain/smoke.ts'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { engineOf, evidenceOf, failureOf, tokens, withSmoke } from '../../judge/samples.ts'

const exchange: Exchange = {
  url: 'http://127.0.0.1:30000/v1/chat/completions',
  request: '{}',
  status: 200,
  headers: {},
  response: '{}',
  end: 'done',
}

/** An answer of an engine that tells of itself. */
function answered(...given: Parameters<typeof evidenceOf>): Evidence {
  const { smoke, ...rest } = evidenceOf(...given)
  return smoke === undefined
    ? rest
    : { ...rest, smoke: { ...smoke, exchange }, engine: engineOf({ version: '0.5.18' }) }
}

/** A request that was sent, and not answered well. */
function sent(kind: Parameters<typeof failureOf>[0], http?: Parameters<typeof failureOf>[1]): Evidence {
  const failure = failureOf(kind, http)
  return withSmoke({ completion: null, failure, exchange: { ...exchange, status: http?.status ?? null } })
}

const labels = (evidence: Evidence, diagnosis = diagnose(evidence, rules)) => ({
  code: diagnosis.code,
  labels: smokeActions(evidence, diagnosis).map(({ label }) => label),
})

describe('only what can tell something is offered', () => {
  test.each<[string, Evidence, Code, readonly string[]]>([
    ['no server', withSmoke({ completion: null, failure: failureOf('refused') }), 'server.unreachable', ['Retry']],
    [
      'no way',
      withSmoke({ completion: null, failure: failureOf('forward-refused') }, 'box'),
      'server.unreachable',
      ['Retry'],
    ],
    [
      'no such model there',
      sent('http-status', { status: 404, body: '{}', complaint: { kind: 'model-name', message: 'no such model' } }),
      'request.model-name',
      ['Retry', 'Raw'],
    ],
    [
      'it ended at once, far from its budget',
      answered({ content: null, pieces: 0, tokens: tokens(2) }),
      'model.immediate-eos',
      ['Retry', 'Thinking off', 'Raw', 'Why?', 'Past template and parser', 'Same prompt ×5'],
    ],
    [
      'the budget was spent',
      answered({ reasoning: 'Let me think about it.', content: '', finish: 'length', tokens: tokens(200, 200) }),
      'budget.reasoning-exhausted',
      ['Retry', 'Retry ×2 budget', 'Thinking off', 'Raw', 'Why?'],
    ],
    [
      'a good answer after a thought',
      answered({ reasoning: 'A greeting.' }),
      'ok.answered',
      ['Retry', 'Thinking off', 'Raw'],
    ],
    ['a good answer without any', answered({}), 'ok.answered', ['Retry', 'Raw']],
    [
      'a good answer with thinking off',
      answered({}, { thinking: false }),
      'ok.no-reasoning',
      ['Retry', 'Thinking on', 'Raw'],
    ],
  ])('%s', (_what, evidence, code, offered) => {
    expect(labels(evidence)).toEqual({ code, labels: offered })
  })
})

test('where a port or a unit leads, no experiment on the symptom that came of it', () => {
  const hung = { ...sent('headers-timeout'), engine: engineOf() }
  const alone = diagnose(hung, rules)
  expect(labels(hung)).toMatchObject({
    code: 'engine.hang',
    labels: expect.arrayContaining(['Why?', 'Not streamed']),
  })
  const port: Finding = { ...alone.findings[0], code: 'proc.port-taken', verdict: 'misconfigured' }
  const led = { verdict: port.verdict, code: port.code, findings: [port, ...alone.findings] } as const
  expect(labels(hung, led)).toEqual({ code: 'proc.port-taken', labels: ['Retry', 'Raw'] })
})

test('a budget that the context has no room for is not offered', () => {
  const spent = answered(
    { content: '', reasoning: 'Hm.', finish: 'length', tokens: tokens(20_000) },
    { budget: 20_000 },
  )
  expect(labels(spent).labels).not.toContain('Retry ×2 budget')
  const roomy = { ...spent, engine: engineOf({ version: '0.5.18', context: 131_072 }) }
  expect(smokeActions(roomy, diagnose(roomy, rules)).map(({ line }) => line)).toContain(
    'retry --target qwen --max-tokens 40000',
  )
})
