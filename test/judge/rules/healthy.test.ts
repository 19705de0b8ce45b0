import { describe, expect, it } from 'vitest'
import type { SmokeRequest } from '../../../src/domain/smoke.ts'
import { healthy } from '../../../src/judge/rules/healthy.ts'
import { asking } from '../asking.ts'
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
      'ok.literal-data',
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

/** What came over the wire, with a part of the body. */
const came = (
  completion: Parameters<typeof evidenceOf>[0],
  response: string,
  request: Partial<SmokeRequest> = {},
  sent = {},
) => asking(evidenceOf(completion, request), sent, { response })

const verse = 'We sail away,\nwe sail away at dawn.\n\nThe sea is wide.\n\nWe sail away,\nwe sail away at dawn.'

describe('says what looks odd', () => {
  it.each([
    ['special tokens as text', came({ content: 'Use `<|im_end|>`.' }, ''), 'ok.quoted-tokens'],
    ['digits', came({ content: '3.14159265358979323846264338327950288' }, ''), 'ok.literal-data'],
    ['rows of a table', came({ content: 'a,b,c\n1,2,3\n4,5,6\n7,8,9' }, ''), 'ok.structured-repeat'],
    ['a refrain', came({ content: verse }, '', { prompt: 'Write a song' }), 'ok.refrain'],
    ['pings in the stream', came({}, ': keep-alive\n\ndata: {}\n\n'), 'ok.keepalive'],
    ['no counters, since nobody asked', came({ tokens: tokens(null) }, 'data: {}\n\n'), 'ok.usage-not-requested'],
    [
      'reasoning that is not counted',
      came({ reasoning: 'Hm.' }, '{"reasoning_tokens": 0}'),
      'ok.reasoning-tokens-unsupported',
    ],
    ['line ends before the text', came({ content: '\n\nHello' }, ''), 'ok.leading-whitespace'],
    ['reasoning by its other name', came({ reasoning: 'Hm.' }, '{"reasoning": "Hm."}'), 'ok.reasoning-renamed'],
    ['Chinese to Chinese', came({ content: '你好，很高兴见到你' }, '', { prompt: '打个招呼' }), 'ok.language-match'],
    ['no thinking, since it is off', came({}, '{}', { thinking: false }), 'ok.no-reasoning'],
  ])('%s', (_, evidence, code) => {
    expect(healthy.check(evidence)).toMatchObject([{ code, verdict: 'healthy' }])
  })

  it.each([
    [
      'counters that were asked for and did not come',
      came({ tokens: tokens(null) }, 'data: {}\n\n', {}, { stream_options: { include_usage: true } }),
    ],
    ['reasoning under both names', came({ reasoning: 'Hm.' }, '{"reasoning": "Hm.", "reasoning_content": "Hm."}')],
    ['a line that comes twice in prose', came({ content: verse }, '')],
    ['a sentence with a number', came({ content: 'There are 12 months.' }, '')],
  ])('not %s', (_, evidence) => {
    expect(healthy.check(evidence)).toMatchObject([{ code: 'ok.answered' }])
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
