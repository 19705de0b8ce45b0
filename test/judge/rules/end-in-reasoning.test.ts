import { expect } from 'vitest'
import { endInReasoning } from '../../../src/judge/rules/end-in-reasoning.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, engineOf, evidenceOf, failureOf, TOOL_CALL, tokens, withSmoke } from '../samples.ts'

const thought = { content: null, reasoning: 'The user wants a greeting. I should answer', tokens: tokens(30) }
const uncounted = { ...thought, tokens: tokens(null) }
const UNSURE = {
  code: 'model.eos-in-reasoning',
  cause: expect.not.stringContaining('budget'),
  missing: ['usage.completion_tokens'],
} as const
const answer = { ...thought, reasoning: 'Hello! How can I help you today?' }

ruleTable(endInReasoning, {
  speaks: {
    'far below the budget': [evidenceOf(thought), { code: 'model.eos-in-reasoning', verdict: 'broken' }],
    'a finished thought': [
      evidenceOf({ ...thought, reasoning: 'Okay, the user greets me. I will answer politely.' }),
      { code: 'model.eos-in-reasoning', confidence: 'likely' },
    ],
    'with usage, which leaves no doubt about the budget': [
      evidenceOf(thought),
      { cause: expect.stringContaining('a larger budget does not help') },
    ],
    'without usage, few pieces': [evidenceOf(uncounted), UNSURE],
    'without usage, not streamed, few characters': [evidenceOf(uncounted, { stream: false }), UNSURE],
    'the answer as reasoning': [evidenceOf(answer), { code: 'parser.reasoning-wrong', verdict: 'misconfigured' }],
    'thinking was off': [evidenceOf(thought, { thinking: false }), { code: 'parser.reasoning-wrong' }],
    'with the parser of the model that is known': [
      { ...evidenceOf(answer), engine: engineOf({ reasoningParser: 'deepseek-r1' }) },
      {
        code: 'parser.reasoning-wrong',
        remedy: expect.arrayContaining([expect.stringMatching(/^Start SGLang with --reasoning-parser qwen3: /)]),
      },
    ],
    'a parser that is the right one already': [
      { ...evidenceOf(answer), engine: engineOf() },
      { remedy: expect.not.arrayContaining([expect.stringContaining('--reasoning-parser qwen3')]) },
    ],
    'a release that can forbid it': [
      { ...evidenceOf(thought), engine: engineOf({ version: '0.5.12' }) },
      {
        code: 'model.eos-in-reasoning',
        remedy: expect.arrayContaining([expect.stringMatching(/^Start SGLang with --enable-strict-thinking: /)]),
      },
    ],
    'a release that cannot': [
      { ...evidenceOf(thought), engine: engineOf({ version: '0.5.11' }) },
      { remedy: expect.arrayContaining([expect.stringMatching(/^Retry: /)]) },
    ],
    'a lost closing tag': [
      evidenceOf({ ...thought, reasoning: 'User asks for a capital. It is Paris.The capital of France is Paris.' }),
      { code: 'parser.reasoning-unclosed', verdict: 'misconfigured' },
    ],
    'a stop word': [
      evidenceOf({ ...thought, stop: '=' }),
      { code: 'request.stop-in-reasoning', verdict: 'client-error', confidence: 'certain' },
    ],
  },
  silent: {
    'an answer after it': evidenceOf({ ...thought, content: 'Hello!' }),
    'a tool call after it': evidenceOf({ ...thought, toolCalls: [TOOL_CALL] }),
    'a spent budget': evidenceOf({ ...thought, finish: 'length', tokens: tokens(200) }),
    'nearly spent, whatever the finish': evidenceOf({ ...thought, tokens: tokens(196) }),
    'nearly spent by its pieces, without usage': evidenceOf({ ...uncounted, pieces: 196 }),
    'nearly spent by its characters, without usage': evidenceOf(
      { ...uncounted, reasoning: 'wind '.repeat(156) },
      { stream: false },
    ),
    'nothing at all': evidenceOf({ ...thought, reasoning: null }),
    'blank reasoning': evidenceOf({ ...thought, reasoning: '\n' }),
    NaN: evidenceOf({ ...thought, stop: 'NaN happened' }),
    'an abort': evidenceOf({ ...thought, finish: 'abort' }),
    'a stream that broke': withSmoke({ completion: completionOf(thought), failure: failureOf('cut') }),
    'no answer': withSmoke({ completion: null, failure: failureOf('refused') }),
  },
})
