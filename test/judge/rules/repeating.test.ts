import { expect } from 'vitest'
import { repeating } from '../../../src/judge/rules/repeating.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, engineOf, evidenceOf, failureOf, tokens, withSmoke } from '../samples.ts'
import { CODE, PROSE } from '../texts.ts'

const spent = { finish: 'length', stop: null, tokens: tokens(200) } as const
const flood = { ...spent, content: 'claus '.repeat(190) }
const caught = { ...spent, content: `The answer is as follows. ${'So we conclude again, '.repeat(40)}` }
const circles = 'We need the distance. We look at the distance that a train travels in the time. '
const loop = {
  channel: 'reasoning',
  unit: 'wait, ',
  period: 6,
  copies: 90,
  from: 0,
  certain: true,
  signal: 'period',
} as const

ruleTable(repeating, {
  speaks: {
    'from its first word on': [
      evidenceOf(flood),
      {
        code: 'model.degenerate-loop',
        verdict: 'broken',
        confidence: 'certain',
        because: [
          '6-character unit × 190 from character 0 of the content',
          '200 of 200 tokens used, finish "length"',
          'nothing in the prompt asks for it',
        ],
      },
    ],
    'in the version that is known for it': [
      { ...evidenceOf(flood), engine: engineOf() },
      {
        code: 'model.degenerate-loop',
        remedy: [expect.stringContaining('--tp-size 1'), expect.stringContaining('driver 580')],
      },
    ],
    'after a sound beginning, decoded greedily': [
      evidenceOf(caught),
      { code: 'sampling.greedy-loop', verdict: 'degraded' },
    ],
    "with the model's own sampling": [evidenceOf(caught, { temperature: null }), { code: 'model.degenerate-loop' }],
    'white space in JSON': [
      evidenceOf({ ...spent, content: `{"type": ${' \n'.repeat(300)}` }),
      { code: 'grammar.whitespace-loop', verdict: 'degraded' },
    ],
    'white space elsewhere': [evidenceOf({ ...spent, content: '\n'.repeat(700) }), { code: 'model.degenerate-loop' }],
    'when we ended the stream': [
      withSmoke({
        completion: completionOf({ content: null, reasoning: 'wait, '.repeat(90), finish: null }),
        cut: loop,
      }),
      { code: 'model.degenerate-loop', because: expect.arrayContaining(['we ended the stream there']) },
    ],
    'when the stream stalled in it': [
      withSmoke({ completion: completionOf({ ...flood, finish: null }), failure: failureOf('stalled') }),
      { code: 'model.degenerate-loop' },
    ],
    'in circles, with role names in between': [
      evidenceOf({
        ...spent,
        content: null,
        reasoning: `${circles}\nUser:\n${circles}\nSystem:\n${circles}\nUser:\n${circles}x\nUser:`,
      }),
      { code: 'model.degenerate-loop', confidence: 'likely' },
    ],
  },
  silent: {
    'an answer': evidenceOf({ content: PROSE }),
    code: evidenceOf({ content: CODE }),
    'a spent budget': evidenceOf({ ...spent, content: PROSE }),
    'what was asked for': evidenceOf(flood, { prompt: "Write 'claus' 500 times" }),
    'forty exclamation marks': evidenceOf({ content: '!'.repeat(40) }),
    'a repetition that ended by itself early': evidenceOf({ content: 'ha '.repeat(40) }),
    'JSON that parses': evidenceOf({ content: `[${'0, '.repeat(300)}0]` }),
    'a line of dashes': evidenceOf({ content: `Title\n${'-'.repeat(200)}\nText` }),
    'leading line ends': evidenceOf({ content: `${'\n'.repeat(20)}Hello!` }),
    'no answer': withSmoke({ completion: null, failure: failureOf('refused') }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
