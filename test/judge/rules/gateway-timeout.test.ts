import { expect } from 'vitest'
import { gatewayTimeout } from '../../../src/judge/rules/gateway-timeout.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf, failureOf, requestOf, withSmoke } from '../samples.ts'

const status = (code: number, body = '', stream = false) =>
  withSmoke({
    request: requestOf({ stream }),
    completion: null,
    failure: failureOf('http-status', { status: code, body }),
  })

ruleTable(gatewayTimeout, {
  speaks: {
    'an answer in one piece': [
      status(504, '<html>504 Gateway Time-out</html>'),
      {
        code: 'proxy.timeout',
        verdict: 'misconfigured',
        confidence: 'likely',
        remedy: [
          expect.stringContaining('before any restart'),
          expect.any(String),
          expect.stringContaining('proxy_read_timeout'),
        ],
      },
    ],
    'a stream': [status(504, '', true), { verdict: 'inconclusive' }],
    Cloudflare: [status(524, 'error code: 524'), { code: 'proxy.timeout' }],
    Envoy: [status(503, 'upstream request timeout'), { code: 'proxy.timeout' }],
  },
  silent: {
    'a gateway that is down': status(502, '<html>502 Bad Gateway</html>'),
    'a queue': status(503, 'Request waiting timeout reached.'),
    'an engine that is silent': withSmoke({ completion: null, failure: failureOf('headers-timeout') }),
    'a refusal': status(400, 'timeout is not a field'),
    'an answer': evidenceOf({ content: '504 Gateway Time-out' }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
