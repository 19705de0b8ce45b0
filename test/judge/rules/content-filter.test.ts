import { contentFilter } from '../../../src/judge/rules/content-filter.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, evidenceOf, failureOf, withSmoke } from '../samples.ts'

const filtered = { finish: 'content_filter', stop: null } as const

ruleTable(contentFilter, {
  speaks: {
    'an answer cut by a filter': [evidenceOf(filtered), { code: 'proxy.content-filter', verdict: 'inconclusive' }],
    'an answer kept back whole': [evidenceOf({ ...filtered, content: '' }), { confidence: 'certain' }],
    'as another gateway spells it': [evidenceOf({ ...filtered, finish: 'CONTENT_FILTERED' }), {}],
  },
  silent: {
    'an answer': evidenceOf({}),
    'no finish': evidenceOf({ finish: null }),
    'a spent budget': evidenceOf({ finish: 'length' }),
    'an answer about it': evidenceOf({ content: 'finish content_filter' }),
    'a broken stream': withSmoke({ completion: completionOf(filtered), failure: failureOf('cut') }),
  },
})
