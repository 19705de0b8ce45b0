import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { llamaCpp } from '../../src/engines/llama-cpp.ts'
import { ollama } from '../../src/engines/ollama.ts'
import { openai } from '../../src/engines/openai.ts'
import { sglang } from '../../src/engines/sglang.ts'
import { vllm } from '../../src/engines/vllm.ts'
import { replyJson, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'
import { request } from '../contract/engine-ask.ts'

/** A server that has these routes only, and remembers what it was sent. */
async function having(routes: Readonly<Record<string, unknown>>) {
  const sent: { path: string; body: unknown }[] = []
  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = incoming.url ?? ''
    sent.push({ path, body: JSON.parse(await text(incoming)) })
    const told = routes[path]
    if (told === undefined) response.writeHead(404).end('{"detail":"Not Found"}')
    else replyJson(response, told)
  }
  const server = await keep(serve((incoming, response) => void respond(incoming, response)))
  return { api: open(server.url), sent }
}

const STOP = { token: 248_046, model: 'demo' }

test('SGLang counts the bare prompt, and spells special tokens', async () => {
  const { api, sent } = await having({
    '/tokenize': { tokens: [1, 2], count: 2, max_model_len: 9 },
    '/detokenize': { text: '<|im_end|>' },
  })
  expect(await sglang.count?.(api, request, never)).toEqual({ ok: true, value: { tokens: 2, templated: false } })
  expect(await sglang.spell?.(api, STOP, never)).toEqual({ ok: true, value: '<|im_end|>' })
  expect(sent).toEqual([
    { path: '/tokenize', body: { model: 'demo', prompt: 'Say hello', add_special_tokens: false } },
    { path: '/detokenize', body: { model: 'demo', tokens: [248_046], skip_special_tokens: false } },
  ])
})

test('vLLM counts the chat as its template renders it', async () => {
  const { api, sent } = await having({
    '/tokenize': { tokens: [1, 2, 3], count: 3, max_model_len: 9 },
    '/detokenize': { prompt: '<|im_end|>' },
  })
  const off = { ...request, thinking: false }
  expect(await vllm.count?.(api, off, never)).toEqual({ ok: true, value: { tokens: 3, templated: true } })
  expect(await vllm.spell?.(api, STOP, never)).toEqual({ ok: true, value: '<|im_end|>' })
  expect(sent[0]?.body).toEqual({
    model: 'demo',
    messages: [{ role: 'user', content: 'Say hello' }],
    chat_template_kwargs: { enable_thinking: false },
  })
})

test('llama.cpp counts what its template renders, and an older one the bare prompt', async () => {
  const told = { '/tokenize': { tokens: [1, 2, 3, 4] }, '/detokenize': { content: '<|im_end|>' } }
  const newer = await having({ ...told, '/apply-template': { prompt: '<|im_start|>user' } })
  expect(await llamaCpp.count?.(newer.api, request, never)).toEqual({ ok: true, value: { tokens: 4, templated: true } })
  expect(newer.sent[1]?.body).toEqual({ content: '<|im_start|>user', add_special: true, parse_special: true })
  const older = await having(told)
  expect(await llamaCpp.count?.(older.api, request, never)).toMatchObject({ value: { templated: false } })
  expect(older.sent[1]?.body).toEqual({ content: 'Say hello', add_special: false, parse_special: false })
  expect(await llamaCpp.spell?.(older.api, STOP, never)).toEqual({ ok: true, value: '<|im_end|>' })
})

test('SGLang takes a text apart with a parser that is named', async () => {
  const { api, sent } = await having({ '/separate_reasoning': { reasoning_text: 'Hm.', text: 'Hi' } })
  const asked = { text: '<think>Hm.</think>Hi', parser: 'qwen3' }
  expect(await sglang.parse?.(api, asked, never)).toEqual({ ok: true, value: { reasoning: 'Hm.', content: 'Hi' } })
  expect(sent).toEqual([
    { path: '/separate_reasoning', body: { text: '<think>Hm.</think>Hi', reasoning_parser: 'qwen3' } },
  ])
})

test.each([
  ['no such route', {}, 'http-status'],
  ['something else', { '/separate_reasoning': { hello: 1 }, '/tokenize': { count: -1 }, '/detokenize': [] }, 'shape'],
])('%s is a failure', async (_, routes, kind) => {
  const { api } = await having(routes)
  const failure = { ok: false, failure: { kind } }
  expect(await sglang.parse?.(api, { text: 'Hi', parser: 'qwen3' }, never)).toMatchObject(failure)
  expect(await sglang.count?.(api, request, never)).toMatchObject(failure)
  expect(await sglang.spell?.(api, STOP, never)).toMatchObject(failure)
})

test('engines without such routes have none here', () => {
  for (const { parse, count, spell } of [openai, ollama])
    expect([parse, count, spell]).toEqual([undefined, undefined, undefined])
  expect([vllm.parse, llamaCpp.parse]).toEqual([undefined, undefined])
})
