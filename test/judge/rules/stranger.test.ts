import { expect } from 'vitest'
import type { FailureKind } from '../../../src/domain/failure.ts'
import { stranger } from '../../../src/judge/rules/stranger.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, evidenceOf, failureOf, withSmoke } from '../samples.ts'

function status(code: number, body: string) {
  return withSmoke({ completion: null, failure: failureOf('http-status', { status: code, body }) })
}

function came(kind: FailureKind, response: string, server = 'uvicorn') {
  const exchange = { url: '', request: '', status: 200, headers: { server }, response, end: kind }
  return withSmoke({ completion: null, failure: failureOf(kind), exchange })
}

const says = (...words: readonly string[]) => expect.stringMatching(new RegExp(words.join('.*')))
const PAGE = '<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head></html>'

ruleTable(stranger, {
  speaks: {
    'a gateway that reaches nothing, by name': [
      status(502, '<html><h1>502 Bad Gateway</h1><hr>nginx/1.24</html>'),
      {
        code: 'proxy.backend-down',
        verdict: 'unreachable',
        cause: says('gateway \\(nginx\\)', 'does not get through'),
        because: ['target qwen answered HTTP 502: “502 Bad Gateway nginx/1.24”'],
      },
    ],
    'the edge of Cloudflare': [
      status(521, '<!DOCTYPE html>Web server is down. Cloudflare'),
      { cause: says('Cloudflare') },
    ],
    'a bare 502': [status(502, ''), { because: ['target qwen answered HTTP 502, without a word'] }],
    'a page in place of an answer': [
      came('not-json', PAGE),
      { cause: says('web server \\(nginx\\)', '“Welcome to nginx!”'), remedy: [says('pilotflame.yml, or --url')] },
    ],
    'a page that is not found': [status(404, '<html>404</html>'), { cause: says('web server answered with its page') }],
    bytes: [came('not-json', '\u0001\u0007 It works!'), { cause: says('not a model server'), confidence: 'certain' }],
    'a stream of something else': [
      came('not-json', 'data: null\n\n'),
      { cause: says('nor the stream of a chat'), because: ['target qwen answered HTTP 200: “data: null”'] },
    ],
    'another JSON, streamed or not, quoted as it came': [
      came('not-stream', '{"status": "ok"}'),
      {
        confidence: 'likely',
        because: ['target qwen answered HTTP 200: “{"status": "ok"}”'],
        unless: says('another API'),
      },
    ],
    'JSON of another shape': [came('shape', '[1, 2]'), { cause: says('JSON that is no chat answer') }],
    'a stream of another shape, as the engine read it': [
      came('shape', 'data: {"choices":[{"delta":{"content":7}}]}\n\n'),
      { cause: says('JSON that is no chat answer'), confidence: 'likely' },
    ],
  },
  silent: {
    'a gateway that waited': status(504, '<html>504 Gateway Time-out</html>'),
    'an answer': evidenceOf({}),
    'an answer about it': evidenceOf({ content: PAGE }),
    'an error of the engine': status(500, '{"message":"CUDA error"}'),
    'a server that loads': status(503, '{"error":{"message":"Loading model"}}'),
    'no route': status(404, '{"detail":"Not Found"}'),
    'a page that wants a login': status(401, '<html>401</html>'),
    'JSON that is cut': came('not-json', '{"id": "1", "choi'),
    'a mangled stream': withSmoke({ failure: failureOf('not-json') }),
    'a broken stream': withSmoke({ completion: completionOf({ finish: null }), failure: failureOf('not-json') }),
    'an empty body': came('empty-body', ''),
    'a refused connection': withSmoke({ completion: null, failure: failureOf('refused') }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
