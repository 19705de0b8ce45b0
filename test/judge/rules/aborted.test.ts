import { aborted } from '../../../src/judge/rules/aborted.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, evidenceOf, failureOf, tokens, withSmoke } from '../samples.ts'

ruleTable(aborted, {
  speaks: {
    abort: [
      evidenceOf({ content: '', finish: 'abort', tokens: tokens(1) }),
      { code: 'engine.aborted', verdict: 'broken' },
    ],
    'in mid text': [evidenceOf({ finish: 'abort' }), { confidence: 'certain' }],
    error: [evidenceOf({ finish: 'error' }), { code: 'engine.aborted' }],
  },
  silent: {
    stop: evidenceOf({}),
    length: evidenceOf({ finish: 'length' }),
    'no finish': evidenceOf({ finish: null }),
    'a person who stopped it': withSmoke({ completion: completionOf({ finish: 'abort' }), stoppedBy: 'Ada' }),
    'a failure that says it itself': withSmoke({ completion: null, failure: failureOf('stream-error') }),
  },
})
