import { expect } from 'vitest'
import { immediateEnd } from '../../../src/judge/rules/immediate-end.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, engineOf, evidenceOf, failureOf, TOOL_CALL, tokens, withSmoke } from '../samples.ts'

const empty = { content: null, reasoning: null, tokens: tokens(2) }

ruleTable(immediateEnd, {
  speaks: {
    'two tokens, both channels null': [
      evidenceOf(empty),
      {
        code: 'model.immediate-eos',
        confidence: 'certain',
        because: [
          '2 of 200 tokens used, finish "stop", stop token 248046',
          'content: the server sent null',
          'reasoning: the server sent null',
          'no tool call',
        ],
      },
    ],
    'one token, an empty text': [evidenceOf({ ...empty, content: '', tokens: tokens(1) }), { confidence: 'certain' }],
    'white space only': [evidenceOf({ ...empty, content: '\n\n' }), { code: 'model.immediate-eos' }],
    'an empty think block': [evidenceOf({ ...empty, tokens: tokens(6) }), { confidence: 'likely' }],
    'no usage': [
      evidenceOf({ ...empty, tokens: tokens(null) }),
      { confidence: 'likely', missing: ['usage.completion_tokens'] },
    ],
    'the version that is known for it': [
      { ...evidenceOf(empty), engine: engineOf() },
      {
        code: 'model.immediate-eos',
        remedy: [expect.stringContaining('Upgrade SGLang 0.5.9 to 0.5.11'), expect.stringContaining('driver 580')],
      },
    ],
    'many tokens and no text': [
      evidenceOf({ ...empty, stop: null, tokens: tokens(181) }),
      { code: 'parser.harmony-lost', verdict: 'broken' },
    ],
  },
  silent: {
    'a short answer': evidenceOf({ content: '4', tokens: tokens(2) }),
    'an answer': evidenceOf({}),
    reasoning: evidenceOf({ ...empty, reasoning: 'Hm.' }),
    'a tool call': evidenceOf({ ...empty, toolCalls: [TOOL_CALL] }),
    'a spent budget': evidenceOf({ ...empty, finish: 'length', tokens: tokens(200) }),
    'a budget of two': evidenceOf({ ...empty, finish: 'length' }, { budget: 2 }),
    'an abort': evidenceOf({ ...empty, finish: 'abort' }),
    NaN: evidenceOf({ ...empty, stop: 'NaN happened' }),
    'a stop word': evidenceOf({ ...empty, stop: '=' }),
    'no finish': evidenceOf({ ...empty, finish: null }),
    'a failure': withSmoke({ completion: completionOf(empty), failure: failureOf('ended-early') }),
    'a person who stopped it': withSmoke({ completion: completionOf(empty), stoppedBy: 'Ada' }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
