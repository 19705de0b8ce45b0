import { accounting } from '../../../src/judge/rules/accounting.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, evidenceOf, failureOf, TOOL_CALL, tokens, withSmoke } from '../samples.ts'

ruleTable(accounting, {
  speaks: {
    'more reasoning than tokens': [
      evidenceOf({ tokens: tokens(9, 15) }),
      { code: 'engine.usage-wrong', verdict: 'degraded' },
    ],
    'calls without a call': [
      evidenceOf({ finish: 'tool_calls' }),
      { code: 'engine.finish-reason-wrong', verdict: 'degraded' },
    ],
    'no finish': [
      evidenceOf({ finish: null, stop: null }),
      { code: 'engine.finish-reason-missing', verdict: 'degraded' },
    ],
    'a call without finish': [
      evidenceOf({ content: null, toolCalls: [TOOL_CALL], finish: null }),
      { code: 'engine.finish-reason-missing', verdict: 'degraded' },
    ],
    'a finish that nobody knows': [
      evidenceOf({ finish: 'whatever' }),
      { code: 'engine.finish-reason-wrong', verdict: 'degraded', confidence: 'likely' },
    ],
  },
  silent: {
    'an end in the words of another API': evidenceOf({ finish: 'end_turn' }),
    'an end token': evidenceOf({ finish: 'eos' }),
    'a spent budget': evidenceOf({ finish: 'length' }),
    'a filter': evidenceOf({ finish: 'content_filter' }),
    'an abort': evidenceOf({ finish: 'abort' }),
    'an unknown finish of nothing': evidenceOf({ content: null, finish: 'whatever' }),
    'an answer': evidenceOf({}),
    'all of it reasoning': evidenceOf({ tokens: tokens(15, 15) }),
    'no reasoning tokens': evidenceOf({ tokens: tokens(9, 0) }),
    'no usage': evidenceOf({ tokens: tokens(null, null) }),
    'a call and finish stop': evidenceOf({ content: null, toolCalls: [TOOL_CALL] }),
    'a call': evidenceOf({ content: null, toolCalls: [TOOL_CALL], finish: 'tool_calls' }),
    'a broken stream': withSmoke({ completion: completionOf({ finish: null }), failure: failureOf('ended-early') }),
  },
})
