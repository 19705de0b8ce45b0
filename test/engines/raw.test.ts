import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Engine } from '../../src/domain/engine.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import { llamaCpp } from '../../src/engines/llama-cpp.ts'
import { ollama } from '../../src/engines/ollama.ts'
import { openai } from '../../src/engines/openai.ts'
import { sglang } from '../../src/engines/sglang.ts'
import { vllm } from '../../src/engines/vllm.ts'
import { replyJson, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'
import { request } from '../contract/engine-ask.ts'

type Routes = Readonly<Record<string, unknown>>

/** Asks a server that has these routes only, and gives the answer with what it was sent. */
async function askRaw(engine: Engine, routes: Routes, asked: Partial<SmokeRequest> = {}) {
  const sent: { path: string; body: unknown }[] = []
  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = incoming.url ?? ''
    sent.push({ path, body: JSON.parse(await text(incoming)) })
    const told = routes[path]
    if (told === undefined) response.writeHead(404).end('{"detail":"Not Found"}')
    else replyJson(response, told)
  }
  const server = await keep(serve((incoming, response) => void respond(incoming, response)))
  const watch = { patienceMs: 2_000, onPiece: () => undefined }
  const answer = await engine.raw?.(open(server.url), { ...request, ...asked }, watch, never)
  return { answer, sent }
}

const COMPLETED = {
  choices: [{ text: '<think>Hm.</think>Hi', finish_reason: 'stop' }],
  usage: { completion_tokens: 9 },
}
const EXPECTED = { failure: null, completion: { content: '<think>Hm.</think>Hi', reasoning: null, finish: 'stop' } }

test('SGLang: the bare prompt at /generate', async () => {
  const meta = { finish_reason: { type: 'stop', matched: 248046 }, prompt_tokens: 2, completion_tokens: 9 }
  const { answer, sent } = await askRaw(sglang, { '/generate': { text: '<think>Hm.</think>Hi', meta_info: meta } })
  expect(answer).toMatchObject({ ...EXPECTED, templated: false })
  expect(answer?.completion).toMatchObject({ stop: 248046, tokens: { prompt: 2, completion: 9 } })
  expect(sent).toEqual([
    {
      path: '/generate',
      body: { text: 'Say hello', sampling_params: { max_new_tokens: 200, skip_special_tokens: false }, stream: false },
    },
  ])
})

test('vLLM: the tokens of the rendered chat at /v1/completions', async () => {
  const routes = { '/tokenize': { tokens: [1, 2, 3], count: 3 }, '/v1/completions': COMPLETED }
  const { answer, sent } = await askRaw(vllm, routes, { thinking: false })
  expect(answer).toMatchObject({ ...EXPECTED, templated: true })
  expect(sent[0]?.body).toMatchObject({
    messages: [{ role: 'user', content: 'Say hello' }],
    chat_template_kwargs: { enable_thinking: false },
  })
  expect(sent[1]?.body).toMatchObject({ prompt: [1, 2, 3], max_tokens: 200, model: 'demo', stream: false })
})

test('llama.cpp: the rendered text at /v1/completions', async () => {
  const routes = { '/apply-template': { prompt: '<|im_start|>user' }, '/v1/completions': COMPLETED }
  const { answer, sent } = await askRaw(llamaCpp, routes)
  expect(answer).toMatchObject({ ...EXPECTED, templated: true })
  expect(sent[1]?.body).toMatchObject({ prompt: '<|im_start|>user' })
})

test.each([['vLLM', vllm] as const, ['llama.cpp', llamaCpp] as const])(
  '%s without a way to render: the bare prompt, and it is said',
  async (_, engine) => {
    const { answer, sent } = await askRaw(engine, { '/v1/completions': COMPLETED })
    expect(answer).toMatchObject({ ...EXPECTED, templated: false })
    expect(sent[1]?.body).toMatchObject({ prompt: 'Say hello' })
  },
)

test('Ollama: its own route, told to leave the template out', async () => {
  const told = { response: '<think>Hm.</think>Hi', done_reason: 'stop', prompt_eval_count: 2, eval_count: 9 }
  const { answer, sent } = await askRaw(ollama, { '/api/generate': told })
  expect(answer).toMatchObject({ ...EXPECTED, templated: false })
  expect(answer?.completion?.tokens).toMatchObject({ prompt: 2, completion: 9 })
  expect(sent[0]?.body).toMatchObject({ raw: true, prompt: 'Say hello', options: { num_predict: 200 } })
})

test.each([
  ['no such route', {}, 'http-status'],
  ['something else', { '/generate': { hello: 1 } }, 'shape'],
  ['a list', { '/generate': [] }, 'shape'],
] as const)('%s is a failure', async (_, routes, kind) => {
  const { answer } = await askRaw(sglang, routes)
  expect(answer?.completion ?? null).toBeNull()
  expect(answer?.failure?.kind).toMatch(new RegExp(`${kind}|not-json`))
})

test('a server of the common dialect has no way past its template', () => {
  expect(openai.raw).toBeUndefined()
})

test('sampling goes out under the names of the API, and a temperature of the request wins', async () => {
  const sampling = { temperature: 0.6, topP: 0.95, topK: 20, minP: 0, presencePenalty: null }
  const { sent } = await askRaw(vllm, { '/v1/completions': COMPLETED }, { sampling })
  expect(sent[1]?.body).toMatchObject({ temperature: 0.6, top_p: 0.95, top_k: 20, min_p: 0 })
  expect(sent[1]?.body).not.toHaveProperty('presence_penalty')
  const warm = await askRaw(vllm, { '/v1/completions': COMPLETED }, { sampling, temperature: 1 })
  expect(warm.sent[1]?.body).toMatchObject({ temperature: 1, top_p: 0.95 })
})
