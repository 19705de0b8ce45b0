import { endInReasoning } from '../../../src/judge/rules/end-in-reasoning.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, evidenceOf, failureOf, TOOL_CALL, tokens, withSmoke } from '../samples.ts'

const thought = { content: null, reasoning: 'The user wants a greeting. I should answer', tokens: tokens(30) }
const answer = { ...thought, reasoning: 'Hello! How can I help you today?' }

ruleTable(endInReasoning, {
  speaks: {
    'far below the budget': [evidenceOf(thought), { code: 'model.eos-in-reasoning', verdict: 'broken' }],
    'a finished thought': [
      evidenceOf({ ...thought, reasoning: 'Okay, the user greets me. I will answer politely.' }),
      { code: 'model.eos-in-reasoning', confidence: 'likely' },
    ],
    'without usage': [evidenceOf({ ...thought, tokens: tokens(null) }), { code: 'model.eos-in-reasoning' }],
    'the answer as reasoning': [evidenceOf(answer), { code: 'parser.reasoning-wrong', verdict: 'misconfigured' }],
    'thinking was off': [evidenceOf(thought, { thinking: false }), { code: 'parser.reasoning-wrong' }],
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
    'nothing at all': evidenceOf({ ...thought, reasoning: null }),
    'blank reasoning': evidenceOf({ ...thought, reasoning: '\n' }),
    NaN: evidenceOf({ ...thought, stop: 'NaN happened' }),
    'an abort': evidenceOf({ ...thought, finish: 'abort' }),
    'a stream that broke': withSmoke({ completion: completionOf(thought), failure: failureOf('cut') }),
    'no answer': withSmoke({ completion: null, failure: failureOf('refused') }),
  },
})
