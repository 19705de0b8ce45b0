import { expect, test } from 'vitest'

import { detectEngine, engines } from '../../src/engines/index.ts'
import { replyJson, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'

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

test('every kind has an engine', () => {
  expect(engines.map((engine) => engine.kind).toSorted()).toEqual(['llama-cpp', 'ollama', 'openai', 'sglang', 'vllm'])
})

test('a server that still loads or wants a key is not mistaken for another engine', async () => {
  const loading = { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } }
  const server = await keep(serve((_, response) => replyJson(response, loading, 503)))
  expect(await detectEngine(open(server.url), never)).toMatchObject({
    failure: { kind: 'http-status', http: { complaint: { kind: 'not-ready' } } },
  })
})

test('an empty list is an engine without a model, something else is no engine', async () => {
  const server = await keep(
    serve((request, response) => replyJson(response, request.url === '/v1/models' ? { data: [] } : {})),
  )
  expect(await detectEngine(open(server.url), never)).toMatchObject({ ok: true, value: { info: { models: [] } } })
  const other = await keep(serve((_, response) => replyJson(response, ['nginx'])))
  expect(await detectEngine(open(other.url), never)).toMatchObject({ failure: { kind: 'shape' } })
})
