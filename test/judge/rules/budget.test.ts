import { expect } from 'vitest'
import { budget } from '../../../src/judge/rules/budget.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, engineOf, evidenceOf, failureOf, TOOL_CALL, tokens, withSmoke } from '../samples.ts'

const thinking = {
  content: null,
  reasoning: 'Define prime. Consider edge cases',
  tokens: tokens(200),
  finish: 'length',
  stop: null,
}
const uncounted = { ...thinking, finish: 'stop', stop: 248046, tokens: tokens(null) }
const cut = { finish: 'length', stop: null, tokens: tokens(200) }

ruleTable(budget, {
  speaks: {
    'an answer of 8 tokens, for which twice as many are none either': [
      evidenceOf({ ...cut, tokens: tokens(8) }, { budget: 8 }),
      { code: 'budget.too-small', remedy: expect.arrayContaining([expect.stringContaining('max_tokens=64')]) },
    ],
    'all of it reasoning': [
      evidenceOf(thinking),
      {
        code: 'budget.reasoning-exhausted',
        verdict: 'request-limit',
        confidence: 'certain',
        remedy: expect.arrayContaining([expect.stringContaining('max_tokens=400')]),
      },
    ],
    'within 5 %, and a finish that says stop': [
      evidenceOf({ ...thinking, finish: 'stop', stop: 248046, tokens: tokens(196) }),
      {
        code: 'budget.reasoning-exhausted',
        confidence: 'likely',
        unless: expect.stringContaining('double the budget'),
      },
    ],
    'case A-15 without usage, streamed': [
      evidenceOf({ ...uncounted, pieces: 1996 }, { budget: 2000 }),
      { code: 'budget.reasoning-exhausted', confidence: 'likely', missing: ['usage.completion_tokens'] },
    ],
    'case A-15 without usage, whole': [
      evidenceOf({ ...uncounted, reasoning: 'Consider. '.repeat(780), pieces: 1 }, { budget: 2000, stream: false }),
      { code: 'budget.reasoning-exhausted', confidence: 'likely', missing: ['usage.completion_tokens'] },
    ],
    'nothing visible at all': [
      evidenceOf({ ...thinking, reasoning: null }),
      { code: 'budget.reasoning-exhausted', confidence: 'likely', unless: expect.stringContaining('parser') },
    ],
    'an answer that was cut': [evidenceOf(cut), { code: 'budget.too-small', confidence: 'certain' }],
    'a few signs of token 0, which may be NaN': [
      evidenceOf({ ...cut, content: '!!!!!', tokens: tokens(5) }, { budget: 5 }),
      { code: 'budget.too-small', confidence: 'likely', unless: expect.stringContaining('NaN') },
    ],
    'a tool call that was cut': [
      evidenceOf({ ...cut, content: null, toolCalls: [TOOL_CALL] }),
      { code: 'budget.too-small', cause: expect.stringContaining('the tool call') },
    ],
    'a limit of the server': [
      evidenceOf({ ...cut, tokens: tokens(120) }),
      { code: 'budget.too-small', confidence: 'likely', cause: expect.stringContaining('a limit of its own') },
    ],
    'a full context': [
      { ...evidenceOf({ ...cut, tokens: tokens(120) }), engine: engineOf({ context: 140 }) },
      { code: 'context.exceeded', verdict: 'request-limit' },
    ],
  },
  silent: {
    'an answer': evidenceOf({}),
    'an answer that ended by itself close to the budget': evidenceOf({ tokens: tokens(199) }),
    'a short answer in a short budget': evidenceOf({ content: '4', tokens: tokens(2) }, { budget: 2 }),
    'a call close to the budget': evidenceOf({
      content: null,
      toolCalls: [TOOL_CALL],
      finish: 'tool_calls',
      tokens: tokens(198),
    }),
    'reasoning far below it': evidenceOf({ ...thinking, finish: 'stop', tokens: tokens(150) }),
    'an immediate end': evidenceOf({ content: null, tokens: tokens(2) }),
    'no usage and a clean stop': evidenceOf({ tokens: tokens(null) }),
    'few pieces and no usage': evidenceOf(uncounted, { budget: 2000 }),
    'few characters and no usage, whole': evidenceOf(uncounted, { budget: 2000, stream: false }),
    'an answer of many pieces without usage': evidenceOf({ tokens: tokens(null), pieces: 200 }),
    'a stream that stalled': withSmoke({ completion: completionOf(thinking), failure: failureOf('stalled') }),
    'a person who stopped it': withSmoke({ completion: completionOf(cut), stoppedBy: 'Ada' }),
  },
})
