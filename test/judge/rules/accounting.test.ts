import { accounting } from '../../../src/judge/rules/accounting.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, evidenceOf, failureOf, TOOL_CALL, tokens, withSmoke } from '../samples.ts'

ruleTable(accounting, {
  speaks: {
    'more reasoning than tokens': [
      evidenceOf({ tokens: tokens(9, 15) }),
      { code: 'engine.usage-wrong', verdict: 'degraded' },
    ],
    'no token for a text': [
      evidenceOf({ content: 'Hello! It is lovely to meet you.', tokens: tokens(0) }),
      { code: 'engine.usage-wrong', verdict: 'degraded', confidence: 'certain' },
    ],
    'three tokens for a page': [
      evidenceOf({ content: 'Every word of a page is another one. '.repeat(20), tokens: tokens(3) }),
      { code: 'engine.usage-wrong' },
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
    'a row of marks': evidenceOf({ content: '='.repeat(400), tokens: tokens(4) }),
    'nothing for no token': evidenceOf({ content: '', tokens: tokens(0) }),
    'no usage': evidenceOf({ tokens: tokens(null, null) }),
    'a call and finish stop': evidenceOf({ content: null, toolCalls: [TOOL_CALL] }),
    'a call': evidenceOf({ content: null, toolCalls: [TOOL_CALL], finish: 'tool_calls' }),
    'a broken stream': withSmoke({ completion: completionOf({ finish: null }), failure: failureOf('ended-early') }),
  },
})
