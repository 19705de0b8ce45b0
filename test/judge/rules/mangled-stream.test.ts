import type { Exchange } from '../../../src/domain/smoke.ts'
import { mangledStream } from '../../../src/judge/rules/mangled-stream.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, evidenceOf, failureOf, withSmoke } from '../samples.ts'

function exchangeOf(response: string): Exchange {
  return { url: '', request: '', status: 200, headers: {}, response, end: 'done' }
}

ruleTable(mangledStream, {
  speaks: {
    'a comment as data': [
      withSmoke({ exchange: exchangeOf('data: : PROCESSING\n\ndata: {}\n\n') }),
      { code: 'proxy.sse-mangled', verdict: 'degraded' },
    ],
    'no JSON beside a whole answer': [withSmoke({ failure: failureOf('not-json') }), { code: 'proxy.sse-mangled' }],
  },
  silent: {
    'a comment': withSmoke({ exchange: exchangeOf(': keep-alive\n\ndata: {}\n\n') }),
    'a colon in the text': withSmoke({ exchange: exchangeOf('data: {"content":"data: : x"}\n\n') }),
    'no JSON and no end': withSmoke({ completion: completionOf({ finish: null }), failure: failureOf('not-json') }),
    'no JSON at all': withSmoke({ completion: null, failure: failureOf('not-json') }),
    'no exchange': evidenceOf({}),
  },
})
