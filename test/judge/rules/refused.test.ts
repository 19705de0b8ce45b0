import { expect } from 'vitest'
import type { Complaint } from '../../../src/domain/failure.ts'
import { refused } from '../../../src/judge/rules/refused.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, engineOf, evidenceOf, failureOf, withSmoke } from '../samples.ts'

function status(code: number, body = '') {
  return withSmoke({ completion: null, failure: failureOf('http-status', { status: code, body }) })
}

function complains(kind: Complaint['kind'], message: string) {
  const http = { status: 400, body: message, complaint: { kind, message } }
  return withSmoke({ completion: null, failure: failureOf('http-status', http) })
}

const TOO_LONG =
  "This model's maximum context length is 16384 tokens. However, you requested 19591 tokens (9591 in the messages, 10000 in the completion)."

ruleTable(refused, {
  speaks: {
    'another key': [complains('auth', 'Unauthorized'), { code: 'request.auth', verdict: 'client-error' }],
    'a model name, with those that it serves': [
      { ...complains('model-name', 'no such model'), engine: engineOf() },
      { code: 'request.model-name', remedy: expect.arrayContaining(['It serves: qwen. Asked for: none.']) },
    ],
    'a route': [status(404, '{"detail":"Not Found"}'), { code: 'request.route', verdict: 'client-error' }],
    'a context, with the room that is left': [
      complains('context', TOO_LONG),
      { code: 'context.exceeded', remedy: expect.arrayContaining([expect.stringContaining('max_tokens=6793')]) },
    ],
    'a field': [complains('schema', 'min_p'), { code: 'request.schema', verdict: 'client-error' }],
    'while it loads': [complains('not-ready', 'Loading model'), { code: 'state.loading', verdict: 'not-ready' }],
    'when it is full': [status(429, 'queue full'), { code: 'load.queue-full', verdict: 'overloaded' }],
    'an abort': [complains('aborted', 'abort'), { code: 'engine.aborted', verdict: 'broken' }],
    'a crash': [status(500, 'Internal Server Error'), { code: 'engine.invariant', verdict: 'broken' }],
    'a page of a proxy': [status(502, '<html>nginx</html>'), { code: 'proxy.backend-down', verdict: 'unreachable' }],
    'a page with status 500': [status(500, '<!DOCTYPE html>'), { code: 'proxy.backend-down' }],
    'a status without body': [
      status(503),
      { code: 'state.loading', because: ['HTTP 503: "observed http-status"', expect.anything()] },
    ],
    'an error inside a stream': [
      withSmoke({
        completion: completionOf({ finish: null }),
        failure: failureOf('stream-error', { status: 200, body: '', complaint: { kind: 'aborted', message: 'x' } }),
      }),
      { code: 'engine.aborted' },
    ],
  },
  silent: {
    'an answer': evidenceOf({}),
    'an error in the text': evidenceOf({ content: '<html>HTTP 500</html>' }),
    ...Object.fromEntries(
      (
        [
          'refused',
          'dns',
          'cut',
          'stalled',
          'empty-body',
          'not-json',
          'shape',
          'stopped',
          'ssh-auth',
          'deadline',
        ] as const
      ).map((kind) => [kind, withSmoke({ completion: null, failure: failureOf(kind) })]),
    ),
    'a stream error without words': withSmoke({ completion: null, failure: failureOf('stream-error') }),
    'no smoke': { target: evidenceOf({}).target },
    'a stop by a person': withSmoke({ stoppedBy: 'Ada', failure: failureOf('stopped') }),
  },
})
