import { describe, expect, it } from 'vitest'
import { healthy } from '../../../src/judge/rules/healthy.ts'
import { completionOf, evidenceOf, failureOf, TOOL_CALL, tokens, withSmoke } from '../samples.ts'

describe('says that it is fine', () => {
  it.each([
    ['an answer', evidenceOf({}), 'ok.answered'],
    ['without usage', evidenceOf({ tokens: tokens(null) }), 'ok.answered'],
    ['one figure', evidenceOf({ content: '4', tokens: tokens(2) }), 'ok.short'],
    ['a call beside null', evidenceOf({ content: null, toolCalls: [TOOL_CALL], finish: 'tool_calls' }), 'ok.tool-call'],
    ['a call and finish stop', evidenceOf({ content: null, toolCalls: [TOOL_CALL] }), 'ok.tool-call'],
    [
      'forty marks',
      evidenceOf({ content: '!'.repeat(40) }, { prompt: 'Print 40 exclamation marks' }),
      'ok.structured-repeat',
    ],
    [
      'zeros',
      evidenceOf({ content: `[${'0, '.repeat(99)}0]` }, { prompt: 'JSON array of 100 zeros' }),
      'ok.structured-repeat',
    ],
  ])('%s', (_, evidence, code) => {
    expect(healthy.check(evidence)).toMatchObject([{ code, verdict: 'healthy', confidence: 'certain' }])
  })

  it('quotes a short answer, never more', () => {
    const [finding] = healthy.check(evidenceOf({ content: 'word '.repeat(500), tokens: tokens(3) }))
    expect(finding?.cause).toBe(`A short answer: “${'word '.repeat(12)}…”.`)
  })

  it('of what a person stopped only that it could not tell', () => {
    const evidence = withSmoke({ stoppedBy: 'Ada', failure: failureOf('stopped') })
    expect(healthy.check(evidence)).toMatchObject([{ code: 'ok.stopped', verdict: 'inconclusive' }])
  })
})

describe('is silent', () => {
  it.each([
    ['no content', evidenceOf({ content: null })],
    ['an empty text', evidenceOf({ content: '' })],
    ['white space', evidenceOf({ content: ' \n' })],
    ['reasoning alone', evidenceOf({ content: null, reasoning: 'Hm.' })],
    ['a failure after text', withSmoke({ failure: failureOf('cut') })],
    ['a loop that we cut', withSmoke({ completion: completionOf(), cut: loop() })],
    ['no answer', withSmoke({ completion: null })],
    ['no smoke', { target: evidenceOf({}).target }],
  ])('%s', (_, evidence) => {
    expect(healthy.check(evidence)).toEqual([])
  })
})

function loop() {
  return { channel: 'content', unit: 'a', period: 1, copies: 700, from: 0, certain: true, signal: 'period' } as const
}
