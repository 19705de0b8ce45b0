import { expect } from 'vitest'
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
    'no JSON beside a whole answer, quoted as it came': [
      withSmoke({
        failure: failureOf('not-json'),
        exchange: exchangeOf('data: {"a":1}\n\ndata: {"oops\n\ndata: [DONE]'),
      }),
      { because: ['the stream holds the line “data: {"oops”', 'the answer itself came to its end'] },
    ],
    'a broken event and no end': [
      withSmoke({ completion: completionOf({ finish: null }), failure: failureOf('not-json') }),
      {
        code: 'transport.truncated',
        verdict: 'inconclusive',
        remedy: expect.arrayContaining([expect.stringContaining('--no-stream (API: "stream": false)')]),
      },
    ],
  },
  silent: {
    'a comment': withSmoke({ exchange: exchangeOf(': keep-alive\n\ndata: {}\n\n') }),
    'a colon in the text': withSmoke({ exchange: exchangeOf('data: {"content":"data: : x"}\n\n') }),
    'a broken end of another kind': withSmoke({
      completion: completionOf({ finish: null }),
      failure: failureOf('cut'),
    }),
    'no JSON at all': withSmoke({ completion: null, failure: failureOf('not-json') }),
    'no exchange': evidenceOf({}),
  },
})
