import { afterEach, expect, test } from 'vitest'
import { PLANTED_API_KEY } from '../../src/lab/model-server/sglang-facts.ts'
import type { ModelServer, ModelServerOptions } from '../../src/lab/model-server.ts'
import { startModelServer } from '../../src/lab/model-server.ts'
import * as stories from '../../src/lab/stories.ts'

const running: ModelServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

async function server(options: ModelServerOptions): Promise<ModelServer> {
  const made = await startModelServer(options)
  running.push(made)
  return made
}

function ask(to: ModelServer, prompt: string, more: Record<string, unknown> = {}, init: RequestInit = {}) {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }], max_tokens: 200, ...more })
  return fetch(`${to.url}/v1/chat/completions`, { method: 'POST', body, ...init })
}

async function choice(to: ModelServer, prompt: string, more: Record<string, unknown> = {}) {
  const { choices, ...rest } = JSON.parse(await (await ask(to, prompt, more)).text())
  return { ...choices[0].message, ...choices[0], ...rest }
}

/** The data of every event, `[DONE]` as a text. */
async function events(to: ModelServer, prompt: string, more: Record<string, unknown> = {}) {
  const response = await ask(to, prompt, { stream: true, stream_options: { include_usage: true }, ...more })
  const lines = (await response.text()).split('\n\n').filter((line) => line !== '')
  return lines.map((line) => {
    const data = line.slice('data: '.length)
    return data === '[DONE]' ? data : JSON.parse(data)
  })
}

test('case A-01: the same fields and values, but for id and time', async () => {
  const to = await server({ story: stories.immediateEos, version: '0.5.9' })
  const answer = await choice(to, 'Say hello in one sentence.')
  expect(answer).toMatchObject({
    content: null,
    reasoning_content: null,
    tool_calls: null,
    finish_reason: 'stop',
    matched_stop: 248_046,
    usage: { completion_tokens: 2, reasoning_tokens: 0 },
  })
  expect(answer.id).toMatch(/^[0-9a-f]{32}$/)
})

test('case A-15: reasoning takes the budget although finish says stop', async () => {
  const to = await server({ story: stories.overthink, version: '0.5.13' })
  const answer = await choice(to, 'Write a Python is_prime function', { max_tokens: 2000 })
  expect(answer).toMatchObject({ content: '', finish_reason: 'stop', usage: { completion_tokens: 1996 } })
})

test('twice the budget cures the long thinker, and so does thinking off', async () => {
  const to = await server({ story: stories.overthink })
  const prompt = 'Write a Python is_prime function'
  const patient = await choice(to, prompt, { max_tokens: 4000 })
  expect(patient).toMatchObject({ finish_reason: 'stop', usage: { completion_tokens: 1720 } })
  expect(patient.content).toContain('def is_prime')
  const quick = await choice(to, prompt, { chat_template_kwargs: { enable_thinking: false } })
  expect(quick).toMatchObject({ reasoning_content: null, finish_reason: 'stop' })
  expect(quick.content).toContain('def is_prime')
})

test.each([
  ['0.5.12.post1', null],
  ['0.5.13', ''],
])('an empty text of version %s is %j', async (version, content) => {
  expect((await choice(await server({ story: stories.immediateEos, version }), 'x')).content).toBe(content)
})

test.each([
  ['0.5.9', 0],
  ['0.5.10', 60],
])('version %s counts %i reasoning tokens', async (version, reasoning_tokens) => {
  const to = await server({ story: stories.eosInReasoning, version })
  expect((await choice(to, 'x')).usage).toMatchObject({ completion_tokens: 61, reasoning_tokens })
})

test('a healthy stream: role, reasoning, content, finish, usage, DONE', async () => {
  const to = await server({ story: stories.healthy })
  const all = await events(to, 'What is 2 + 2?')
  expect(all.at(-1)).toBe('[DONE]')
  expect(all.at(-2)).toMatchObject({ choices: [], usage: { completion_tokens: expect.any(Number) } })
  expect(all.at(-3).choices[0]).toMatchObject({ finish_reason: 'stop', matched_stop: 248_046 })
  const deltas = all.slice(0, -3).map((event) => event.choices[0].delta)
  expect(deltas[0]).toEqual({ role: 'assistant', content: '', reasoning_content: null })
  expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toContain('two and two make four')
  expect(deltas.map((delta) => delta.content ?? '').join('')).toBe('2 + 2 = 4.')
})

test.each([
  ['0.5.12', ['role', 'content', 'reasoning_content', 'tool_calls']],
  ['0.5.13', ['reasoning_content', 'content']],
])('a content delta of version %s has the keys %j', async (version, keys) => {
  const all = await events(await server({ story: stories.loop, version }), 'x', { max_tokens: 1 })
  expect(Object.keys(all[1].choices[0].delta)).toEqual(keys)
})

test('a loop ends at the budget with `length`', async () => {
  const answer = await choice(await server({ story: stories.loop }), 'What is 2 + 2?', { max_tokens: 20 })
  expect(answer).toMatchObject({ finish_reason: 'length', matched_stop: null, usage: { completion_tokens: 20 } })
  expect(answer.content).toBe('2 + 2 = 2.2 + 2 = 2.2 + 2 = 2.2 + 2 = 2.')
})

test('NaN, a tool call and an abort end as SGLang ends them', async () => {
  const to = await server({ story: stories.nan, version: '0.5.9' })
  expect(await choice(to, 'x')).toMatchObject({ finish_reason: 'stop', matched_stop: 'NaN happened' })
  to.setStory(stories.toolCall)
  const call = { type: 'function', function: { name: 'get_weather', arguments: '{"city": "Paris"}' } }
  expect(await choice(to, 'x')).toMatchObject({ finish_reason: 'tool_calls', tool_calls: [call] })
  to.setStory(stories.abort)
  expect(await choice(to, 'x')).toMatchObject({ finish_reason: 'abort', matched_stop: null })
})

test('since 0.5.10 an abort is an error chunk, and DONE still comes', async () => {
  const all = await events(await server({ story: stories.abort, version: '0.5.10' }), 'x')
  expect(all.at(-3)).toMatchObject({ error: { object: 'error', code: 500 } })
  expect(all.at(-1)).toBe('[DONE]')
})

test('an early end has no finish and no DONE, a cut not even an end', async () => {
  const to = await server({ story: stories.noDone })
  expect((await events(to, 'x')).at(-1).choices[0]).toMatchObject({ finish_reason: null })
  to.setStory(stories.cut)
  await expect(events(to, 'x')).rejects.toThrow('terminated')
})

test.each([
  ['loading', stories.loading, 503, 503, 'Loading model'],
  ['overloaded', stories.overloaded, 503, 200, 'queue is full'],
  ['wrong model', stories.wrongModel, 404, 200, "'m' does not exist"],
])('%s is refused', async (_, story, status, health, words) => {
  const to = await server({ story })
  const refused = await ask(to, 'x')
  expect(refused.status).toBe(status)
  expect(await refused.text()).toContain(words)
  const probe = await fetch(`${to.url}/health`)
  expect([probe.status, await probe.text()]).toEqual([health, ''])
})

test.each([
  ['no JSON', '{"mess', 'Field required'],
  ['no messages', '{}', 'Field required'],
  [
    'a budget beyond the context',
    '{"messages":[{"content":"x"}],"max_tokens":40000}',
    'maximum context length of 32768',
  ],
])('%s is a flat 400', async (_, body, words) => {
  const to = await server({ story: stories.healthy })
  const response = await fetch(`${to.url}/v1/chat/completions`, { method: 'POST', body })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ object: 'error', code: 400, message: expect.stringContaining(words) })
})

test('says who it is, with a key that nobody may show', async () => {
  const to = await server({ story: stories.healthy, model: 'demo', version: '0.5.11' })
  const get = async (path: string) => (await fetch(`${to.url}${path}`)).json()
  expect(await get('/v1/models')).toMatchObject({ data: [{ id: 'demo', owned_by: 'sglang', max_model_len: 32_768 }] })
  expect(await get('/server_info')).toMatchObject({
    version: '0.5.11',
    api_key: PLANTED_API_KEY,
    reasoning_parser: 'qwen3',
  })
  expect(await get('/model_info')).toMatchObject({ model_path: '/srv/models/demo' })
  expect(await get('/nowhere')).toEqual({ detail: 'Not Found' })
  expect(to.requests().map(({ path }) => path)).toEqual(['/v1/models', '/server_info', '/model_info', '/nowhere'])
})

test('streams at its pace, and stops work when the client goes away', async () => {
  const to = await server({ story: stories.loop, tokensPerSecond: 20 })
  const leaving = new AbortController()
  const response = await ask(to, 'x', { stream: true, max_tokens: 4000 }, { signal: leaving.signal })
  expect(to.busy()).toBe(1)
  leaving.abort()
  await expect.poll(() => to.busy()).toBe(0)
  await expect(response.text()).rejects.toThrow()
})
