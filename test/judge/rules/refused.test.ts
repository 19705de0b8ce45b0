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

const LLAMA = { engine: engineOf({ kind: 'llama-cpp', loaded: '/srv/q.gguf' }), argv: ['llama-server', '-np', '2'] }

const TOO_LONG =
  "This model's maximum context length is 16384 tokens. However, you requested 19591 tokens (9591 in the messages, 10000 in the completion)."

ruleTable(refused, {
  speaks: {
    'a model that Ollama has not fetched': [
      complains('model-name', "model 'qwen3:32b' not found"),
      {
        code: 'request.model-name',
        remedy: [expect.stringContaining('ollama pull qwen3:32b'), expect.not.stringContaining('--served-model-name')],
      },
    ],
    'a model that another server does not serve': [
      complains('model-name', 'The model `qwen` does not exist.'),
      { code: 'request.model-name', remedy: [expect.stringContaining('--served-model-name')] },
    ],
    'another key': [
      complains('auth', 'Unauthorized'),
      {
        code: 'request.auth',
        verdict: 'client-error',
        confidence: 'certain',
        remedy: [
          expect.stringMatching(/api_key_env: NAME .*pilotflame\.yml.*variable NAME.*--url.*PILOTFLAME_API_KEY/),
        ],
      },
    ],
    'no key': [status(401), { code: 'request.auth', confidence: 'certain' }],
    'a 403 without a body, which may be a rule': [
      status(403),
      {
        code: 'request.auth',
        confidence: 'likely',
        because: ['target qwen answered HTTP 403, without a word'],
        unless: expect.stringContaining('a rule forbids'),
      },
    ],
    'a 403 that speaks of a key': [
      status(403, '{"error":"Invalid API key"}'),
      {
        code: 'request.auth',
        confidence: 'certain',
        because: ['target qwen answered HTTP 403: “{"error":"Invalid API key"}”'],
      },
    ],
    'a page of a gateway that wants a login': [
      status(401, '<html><h1>401 Authorization Required</h1></html>'),
      { code: 'request.auth', because: ['target qwen answered HTTP 401: “401 Authorization Required”'] },
    ],
    'a port that speaks TLS': [
      status(400, '<html>400 The plain HTTP request was sent to HTTPS port</html>'),
      { code: 'request.route', remedy: [expect.stringContaining('https://')] },
    ],
    'a model name, with those that it serves': [
      { ...complains('model-name', 'no such model'), engine: engineOf() },
      { code: 'request.model-name', remedy: expect.arrayContaining(['It serves: qwen. Asked for: none.']) },
    ],
    'a route': [status(404, '{"detail":"Not Found"}'), { code: 'request.route', verdict: 'client-error' }],
    'a context, with the room that is left': [
      complains('context', TOO_LONG),
      {
        code: 'context.exceeded',
        remedy: [
          'Lower the budget to at most 6,793 tokens: retry max_tokens=6793 in the thread, --max-tokens 6793 in the terminal.',
          expect.stringMatching(/^Or start the server with a larger context/),
        ],
      },
    ],
    'a context that no budget fits': [
      { ...complains('context', 'request (3621 tokens) exceeds the available context size (3700 tokens)'), ...LLAMA },
      { code: 'context.exceeded', remedy: expect.arrayContaining([expect.stringContaining('with -c 8192:')]) },
    ],
    'the only model': [
      { ...complains('model-name', 'no such model'), engine: engineOf({ models: ['qwen3.6'] }) },
      { remedy: expect.arrayContaining([expect.stringMatching(/^Ask for the model qwen3\.6 /)]) },
    ],
    'several models, of which a person must choose': [
      { ...complains('model-name', 'no such model'), engine: engineOf({ models: ['qwen3.6', 'glm-5'] }) },
      { remedy: [expect.stringMatching(/^Write model: NAME/), 'It serves: qwen3.6, glm-5. Asked for: none.'] },
    ],
    'a field': [complains('schema', 'min_p'), { code: 'request.schema', verdict: 'client-error' }],
    'while it loads': [complains('not-ready', 'Loading model'), { code: 'state.loading', verdict: 'not-ready' }],
    'a 503 that does not say why': [
      status(503, 'Service Unavailable'),
      { code: 'state.loading', confidence: 'likely', unless: expect.stringContaining('a gateway') },
    ],
    'a full gateway, in a page': [status(429, '<html>Too many</html>'), { code: 'load.queue-full' }],
    'when it is full': [status(429, 'queue full'), { code: 'load.queue-full', verdict: 'overloaded' }],
    'an abort': [complains('aborted', 'abort'), { code: 'engine.aborted', verdict: 'broken' }],
    'a crash': [status(500, 'Internal Server Error'), { code: 'engine.invariant', verdict: 'broken' }],
    'a status without body': [
      status(503),
      { code: 'state.loading', because: ['target qwen answered HTTP 503, without a word'] },
    ],
    'an error inside a stream': [
      withSmoke({
        completion: completionOf({ finish: null }),
        failure: failureOf('stream-error', { status: 200, body: '', complaint: { kind: 'aborted', message: 'x' } }),
      }),
      { code: 'engine.aborted', because: ['target qwen sent an error inside its answer: “x”'] },
    ],
  },
  silent: {
    'a page of a gateway': status(502, '<html>nginx</html>'),
    'a crash that names itself': status(500, 'CUDA error: an illegal memory access was encountered'),
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
