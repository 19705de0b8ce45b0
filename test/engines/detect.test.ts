import { expect, test } from 'vitest'

import type { FailureKind } from '../../src/domain/failure.ts'
import { failed } from '../../src/domain/outcome.ts'
import type { Api } from '../../src/domain/ports.ts'
import { ENGINE_KINDS } from '../../src/domain/target.ts'
import { detectEngine, engines } from '../../src/engines/index.ts'
import { openai } from '../../src/engines/openai.ts'
import { reply, replyJson, serve } from '../adapters/http-server.ts'
import { failureIn, keep, never, open } from '../adapters/tidy.ts'

const HF = [{ id: 'hf.co/bartowski/gemma:Q4', owned_by: 'bartowski' }]

test.for([
  ['sglang', 'sglang'],
  ['vllm', 'vllm'],
  ['llamacpp', 'llama-cpp'],
  ['library', 'ollama'],
  ['somebody', 'openai'],
  [null, 'openai'],
] as const)('owned by %s is %s', async ([owned_by, kind]) => {
  const server = await keep(serve((_, response) => replyJson(response, { data: [{ id: 'm', owned_by }] })))
  expect(await detectEngine(open(server.url), never)).toMatchObject({
    ok: true,
    value: { engine: { kind }, info: { kind, models: ['m'] } },
  })
})

/** A server with this list, and these other routes. */
async function listing(data: unknown, routes: Readonly<Record<string, unknown>> = {}) {
  const asked: string[] = []
  const server = await keep(
    serve(({ url = '' }, response) => {
      asked.push(url)
      const body = url === '/v1/models' ? { object: 'list', data } : routes[url]
      replyJson(response, body ?? { detail: 'Not Found' }, body === undefined ? 404 : 200)
    }),
  )
  return { asked, found: await detectEngine(open(server.url), never) }
}

const LONG = { id: 'm', owned_by: 'gateway', max_model_len: 32768 }
const VERSION = { version: '0.19.0' }

test.for([
  ['a list with lengths and /version: vLLM', [LONG], { '/version': VERSION }, 'vllm'],
  ['an owner that is part of the name, and /api/version: Ollama', HF, { '/api/version': VERSION }, 'ollama'],
  ['an empty list and /api/version: Ollama', [], { '/api/version': VERSION }, 'ollama'],
  ['null for a list and /api/version: Ollama without a model', null, { '/api/version': VERSION }, 'ollama'],
  // /version alone is no sign: others have it
  ['no lengths', [{ id: 'm', owned_by: 'tensorrt_llm' }], { '/version': VERSION }, 'openai'],
  ['nobody’s model', [{ id: 'm' }], { '/version': VERSION, '/api/version': VERSION }, 'openai'],
  ['an owner apart from the name', [{ id: 'm', owned_by: 'llama-swap' }], { '/api/version': VERSION }, 'openai'],
  ['no version in it', [LONG], { '/version': { gitVersion: 'v1' } }, 'openai'],
  ['a version that is none', [LONG], { '/version': { version: 3 } }, 'openai'],
  ['nothing that confirms', HF, {}, 'openai'],
  ['Ollama’s tags alone', HF, { '/api/tags': { models: [] }, '/': 'Ollama is running' }, 'openai'],
] as const)('%s', async ([, data, routes, kind]) => {
  const { found } = await listing(data, routes)
  expect(found).toMatchObject({ ok: true, value: { engine: { kind }, info: { kind } } })
})

test('who is named as the owner is asked nothing more, and nobody is asked for tags', async () => {
  const routes = { '/version': VERSION, '/api/version': VERSION, '/api/tags': { models: [] } }
  for (const owned_by of ['sglang', 'vllm', 'llamacpp', 'library', 'openai']) {
    const { asked } = await listing([{ id: 'm', owned_by, max_model_len: 1 }], routes)
    expect(asked).toEqual(['/v1/models'])
  }
  const { asked } = await listing([LONG], {})
  expect(asked).toEqual(['/v1/models', '/version'])
})

test('the Server header tells where the list does not', async () => {
  const server = await keep(
    serve((_, response) => {
      response.setHeader('server', 'llama.cpp')
      replyJson(response, { data: [{ id: 'm' }] })
    }),
  )
  expect(await detectEngine(open(server.url), never)).toMatchObject({ value: { engine: { kind: 'llama-cpp' } } })
})

test('every kind has an engine', () => {
  expect(engines.map((engine) => engine.kind).toSorted()).toEqual(ENGINE_KINDS.toSorted())
})

test('a server that still loads or wants a key is not mistaken for another engine', async () => {
  const loading = { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } }
  const server = await keep(serve((_, response) => replyJson(response, loading, 503)))
  expect(await detectEngine(open(server.url), never)).toMatchObject({
    failure: { kind: 'http-status', http: { complaint: { kind: 'not-ready' } } },
  })
})

test('a key that is wanted and a server that is away stay failures', async () => {
  const server = await keep(serve((_, response) => replyJson(response, { error: 'Unauthorized' }, 401)))
  expect(await detectEngine(open(server.url), never)).toMatchObject({ failure: { http: { status: 401 } } })
  expect(await detectEngine(open('http://127.0.0.1:1'), never)).toMatchObject({ failure: { kind: 'refused' } })
})

test.for([
  ['no such route', 404, { detail: 'Not Found' }],
  ['no such method', 405, {}],
  ['nothing of the kind', 501, {}],
  ['something that is no list', 200, ['nginx']],
  ['a list of something else', 200, { data: 'models' }],
] as const)('a server with %s is asked in the common dialect', async ([, status, body]) => {
  const server = await keep(serve((_, response) => replyJson(response, body, status)))
  expect(await detectEngine(open(server.url), never)).toMatchObject({
    ok: true,
    value: { engine: { kind: 'openai' }, info: {} },
  })
})

test('and one with a page', async () => {
  const server = await keep(serve((_, response) => reply(response, 200, 'text/html', '<html>Chat</html>')))
  expect(await detectEngine(open(server.url), never)).toMatchObject({ ok: true, value: { engine: { kind: 'openai' } } })
})

test('an empty list is an engine without a model', async () => {
  const server = await keep(
    serve((request, response) => replyJson(response, request.url === '/v1/models' ? { data: [] } : {})),
  )
  expect(await detectEngine(open(server.url), never)).toMatchObject({ ok: true, value: { info: { models: [] } } })
})

/** A way on which every GET ends so. */
function slowApi(kind: FailureKind): Api {
  const end = async () => failed<never>({ kind, thing: 'target qwen', observed: 'no answer within 3 s', next: 'wait' })
  return { url: 'http://127.0.0.1:30000', json: end, text: end, events: end }
}

test.for(['headers-timeout', 'stalled', 'deadline'] as const)(
  'a list that ends in %s decides nothing: the chat will',
  async (kind) => {
    expect(await detectEngine(slowApi(kind), never)).toEqual({ ok: true, value: { engine: openai, info: {} } })
    const told = failureIn(await openai.info(slowApi(kind), never))
    expect(told.next).toContain('a smoke tells, which waits for the patience of the target')
  },
)

test('a list that was stopped, or whose way is closed, does decide', async () => {
  for (const kind of ['stopped', 'lost', 'busy', 'connect-timeout'] as const)
    expect(await detectEngine(slowApi(kind), never)).toMatchObject({ ok: false, failure: { kind, next: 'wait' } })
})
