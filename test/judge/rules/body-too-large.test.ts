import { bodyTooLarge } from '../../../src/judge/rules/body-too-large.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf, failureOf, withSmoke } from '../samples.ts'

const status = (code: number, body = '') =>
  withSmoke({ completion: null, failure: failureOf('http-status', { status: code, body }) })

ruleTable(bodyTooLarge, {
  speaks: {
    nginx: [
      status(413, '<html><h1>413 Request Entity Too Large</h1>nginx</html>'),
      {
        code: 'proxy.body-too-large',
        verdict: 'misconfigured',
        because: ['target qwen answered HTTP 413: “413 Request Entity Too Large nginx”'],
      },
    ],
    'the status alone': [status(413), { code: 'proxy.body-too-large', confidence: 'certain' }],
    'a router of an engine': [
      status(400, 'Failed to buffer the request body: length limit exceeded'),
      { code: 'proxy.body-too-large' },
    ],
    'a server of Node': [
      status(500, 'PayloadTooLargeError: request entity too large'),
      { code: 'proxy.body-too-large' },
    ],
  },
  silent: {
    'a prompt that is too long': status(
      413,
      'The input (61709 tokens) is longer than the context length (40960 tokens)',
    ),
    'another refusal': status(400, 'max_tokens is too large'),
    'a gateway that is down': status(502, '<html>502 Bad Gateway</html>'),
    'an answer': evidenceOf({ content: 'Request entity too large is HTTP 413.' }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
