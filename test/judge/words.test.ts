import { describe, expect, it } from 'vitest'
import { answerEvidence } from '../../src/app/diagnose/answer-document.ts'
import { FAILURE_KINDS } from '../../src/domain/failure.ts'
import type { Evidence, Finding } from '../../src/domain/finding.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { answers } from '../app/labelled-answers.ts'
import { completionOf, engineOf, failureOf, requestOf, tokens, withSmoke } from './samples.ts'

const labelled = answers.map(({ input: { request, response, context } }) => answerEvidence(request, response, context))

const BODIES = [
  '',
  '{"detail": "Not Found"}',
  '{"error": {"message": "x"}}',
  '<html><title>nginx</title></html>',
  'oops',
]
const refusals = [400, 401, 403, 404, 413, 422, 429, 500, 502, 503, 504].flatMap((status) =>
  BODIES.map((body) => withSmoke({ completion: null, failure: failureOf('http-status', { status, body }) })),
)

const failures = FAILURE_KINDS.flatMap((kind) =>
  [null, completionOf({ content: 'x', pieces: 1, tokens: tokens(1), finish: null })].map((completion) =>
    withSmoke({ completion, failure: failureOf(kind) }),
  ),
)

const long = { finish: 'length', stop: null, tokens: tokens(4096) } as const
const asked = requestOf({ budget: 4096 })
const spent = [
  { ...long, content: null, reasoning: 'word '.repeat(999) },
  { ...long, content: 'A word, and then' },
  { ...long, content: 'claus '.repeat(2000) },
  { content: null, tokens: tokens(1) },
].map((change) => ({ ...withSmoke({ request: asked, completion: completionOf(change) }), engine: engineOf() }))

const all: readonly Evidence[] = [...labelled, ...refusals, ...failures, ...spent]
const findings = all.flatMap((evidence) => diagnose(evidence, rules).findings)

const textsOf = ({ cause, because, remedy, unless = '' }: Finding): string[] => [cause, ...because, ...remedy, unless]
const texts = [...new Set(findings.flatMap(textsOf))]
/** What others said is quoted as it came. */
const wrong = (sign: RegExp) => texts.map((text) => text.replace(/“[^”]*”/g, '')).filter((text) => sign.test(text))

describe('what an operator reads', () => {
  it('is much', () => {
    expect(new Set(findings.map(({ code }) => code)).size).toBeGreaterThan(35)
  })

  it('says nothing twice', () => {
    const twice = findings.filter((finding) => {
      const said = textsOf(finding).filter((text) => text !== '')
      return said.some((text, at) =>
        said.some((other, place) => place !== at && other.includes(text.replace(/\.$/, ''))),
      )
    })
    expect(twice).toEqual([])
  })

  it('escapes no quote', () => {
    expect(texts.filter((text) => text.includes('\\"'))).toEqual([])
  })

  it.each([
    ['one thing as one', /(?<![\d,.-])1 (?:tokens|pieces|characters|events|scripts|role names)\b/],
    [
      'large numbers with their comma, where they are not to be typed',
      /\d{4,} (?:of|tokens|characters|pieces|reasoning)\b/,
    ],
    ['fields of the API beside the words of Pilotflame', /stream=false|apiKey/],
  ])('%s', (_, sign) => {
    expect(wrong(sign)).toEqual([])
  })

  it.each([
    ['max_tokens=', '--max-tokens '],
    ['enable_thinking', '--think off'],
    ['"stream": false', '--no-stream'],
    ['api_key_env', 'PILOTFLAME_API_KEY'],
  ])('%s stands beside %s', (field, word) => {
    const named = texts.filter((text) => text.includes(field))
    expect(named).not.toEqual([])
    expect(named.filter((text) => !text.includes(word))).toEqual([])
  })

  it('is a sentence where it is the cause', () => {
    expect(findings.filter(({ cause }) => !/^\p{L}.*\.$/u.test(cause))).toEqual([])
  })
})
