import { nan } from '../../../src/judge/rules/nan.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, evidenceOf, failureOf, withSmoke } from '../samples.ts'

ruleTable(nan, {
  speaks: {
    'the stop says so': [
      evidenceOf({ content: '', stop: 'NaN happened' }),
      { code: 'model.nan-logits', verdict: 'broken' },
    ],
    'after some text': [evidenceOf({ stop: 'NaN happened' }), { confidence: 'certain' }],
  },
  silent: {
    'a stop token': evidenceOf({}),
    'no stop': evidenceOf({ stop: null }),
    'a stop word': evidenceOf({ stop: '=' }),
    'a stop word that begins alike': evidenceOf({ stop: 'Nancy' }),
    'text about NaN': evidenceOf({ content: 'NaN happened' }),
    'a failure': withSmoke({ completion: completionOf({ stop: null }), failure: failureOf('cut') }),
  },
})
