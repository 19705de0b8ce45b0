import { expect } from 'vitest'
import type { Completion, Piece } from '../../src/domain/completion.ts'
import type { EngineLoad } from '../../src/domain/engine.ts'
import type { Api } from '../../src/domain/ports.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import { detectEngine } from '../../src/engines/index.ts'
import { llamaCpp } from '../../src/engines/llama-cpp.ts'
import { failureIn, never, open, valueIn } from '../adapters/tidy.ts'
import type { ModelName } from './engine/models/index.ts'
import { test } from './far-test.ts'
import { freePort } from './process.ts'

/* The contract of test/contract/engine.ts on a real engine, as far as one can be made to do it. */

const HELLO: SmokeRequest = {
  prompt: 'Say hello',
  budget: 400,
  temperature: null,
  thinking: null,
  stream: true,
  model: null,
}

async function ask(api: Api, asked: Partial<SmokeRequest> = {}, signal = never) {
  const pieces: Piece[] = []
  const watch = { patienceMs: 5_000, onPiece: (piece: Piece) => void pieces.push(piece) }
  return { ...(await llamaCpp.complete(api, { ...HELLO, ...asked }, watch, signal)), pieces }
}

const ANSWERS: readonly (readonly [ModelName, Partial<Completion>])[] = [
  [
    'healthy',
    {
      reasoning: 'The user asks for a greeting; I will answer politely.\n',
      content: 'Hello! How can I help you today?',
      finish: 'stop',
    },
  ],
  ['eos', { reasoning: null, finish: 'stop' }],
  ['overthink', { reasoning: expect.stringMatching(/^ \w/), finish: 'length' }],
  ['loop', { reasoning: null, content: expect.stringMatching(/^2 \+ 2 = 2\.2 \+ 2 = 2\.2/), finish: 'length' }],
  ['utf8', { reasoning: null, content: expect.stringMatching(/^Grüße 你好 🚀 `<b>&amp;`/), finish: 'stop' }],
]

test.for(ANSWERS)('%s, whole and streamed', async ([model, read], { serve }) => {
  const api = open((await serve(model)).url)
  for (const stream of [true, false]) {
    const { completion, failure, pieces, exchange } = await ask(api, { stream })
    expect(failure).toBeNull()
    expect(completion).toMatchObject({ stop: null, toolCalls: [], ...read })
    expect(exchange).toMatchObject({ status: 200, end: stream ? 'done' : 'eof' })
    // what was never sent is null, an empty text is one
    if (model === 'eos') expect(completion?.content).toBe(stream ? null : '')
    const said = (channel: Piece['channel']) => pieces.filter((one) => one.channel === channel).map(({ text }) => text)
    expect(said('reasoning').join('')).toBe(completion?.reasoning ?? '')
    expect(said('content').join('')).toBe(completion?.content ?? '')
    expect(completion?.tokens).toMatchObject({ prompt: expect.any(Number), completion: expect.any(Number) })
  }
})

test('thinking off, a temperature and a name that it does not know are taken', async ({ serve }) => {
  const api = open((await serve('healthy')).url)
  const { completion } = await ask(api, { thinking: false, temperature: 0, model: 'nobody' })
  expect(completion).toMatchObject({ reasoning: null, content: 'Hello! How can I help you today?' })
})

test('is detected, and tells what it is', async ({ serve }) => {
  const server = await serve('healthy')
  const api = open(server.url)
  const { engine, info } = valueIn(await detectEngine(api, never))
  expect([engine.kind, info]).toMatchObject(['llama-cpp', { models: [expect.stringContaining('healthy')] }])
  const told = valueIn(await engine.info(api, never))
  expect(told).toMatchObject({ loaded: expect.stringMatching(/\/healthy\.gguf$/), context: 8192 })
  expect(await server.props()).toMatchObject({ build_info: told.version, model_path: told.loaded })
})

const loadOf = (api: Api) => async (): Promise<EngineLoad> => valueIn(await llamaCpp.load(api, never))

test('five requests on two slots: two run, three wait', async ({ serve }) => {
  // each request holds one of its threads, and so does the question for its load: by default there are too few for that
  const server = await serve('overthink', 'lifelike', { flags: ['--metrics', '--threads-http', '8'] })
  const api = open(server.url)
  const load = loadOf(api)
  expect(await load()).toMatchObject({ running: 0, waiting: 0, asked: '/metrics' })
  const leave = new AbortController()
  const answers = Array.from({ length: 5 }, () => ask(api, { budget: 7_000 }, leave.signal))
  await expect.poll(load, { timeout: 10_000 }).toMatchObject({ running: 2, waiting: 3, cacheUsage: null })
  leave.abort()
  for (const { failure } of await Promise.all(answers)) expect(failure?.kind).toBe('stopped')
  await expect.poll(load).toMatchObject({ running: 0, waiting: 0 })
})

test('without metrics its slots tell, without slots nothing does, and neither is a fault', async ({ serve }) => {
  const [slots, none] = await Promise.all([
    serve('overthink', 'full', { flags: [] }),
    serve('healthy', 'full', { flags: ['--no-slots'] }),
  ])
  const [api, leave] = [open(slots.url), new AbortController()]
  const answer = ask(api, { budget: 7_000 }, leave.signal)
  await expect.poll(loadOf(api), { interval: 5 }).toMatchObject({ running: 1, waiting: null, asked: '/slots' })
  leave.abort()
  await answer
  expect(await loadOf(open(none.url))()).toMatchObject({ running: null, asked: null })
})

test('refused, then loading, then ready', async ({ serve }) => {
  const port = await freePort()
  const api = open(`http://127.0.0.1:${port}`)
  // room for many tokens takes a while
  const starting = serve('healthy', 'full', { port, flags: ['-c', '300000'] })
  const seen = new Set<string>()
  const look = async () => {
    const [found, health] = await Promise.all([
      detectEngine(api, never),
      api.text({ method: 'GET', path: '/health', patienceMs: 1_000 }, never),
    ])
    seen.add(health.ok ? health.value.text : (health.failure.http?.body ?? health.failure.kind))
    const kind = found.ok ? found.value.engine.kind : (found.failure.http?.complaint?.kind ?? found.failure.kind)
    seen.add(kind)
    return kind
  }
  await expect.poll(look, { interval: 1, timeout: 10_000 }).toBe('llama-cpp')
  await starting
  const states = [...seen]
  expect([states[0], states.at(-1)]).toEqual(['refused', 'llama-cpp'])
  // health and list are asked at once, so that either may be the first to say it
  expect(states.slice(1, -1).toSorted()).toEqual([
    'not-ready',
    expect.stringContaining('"message":"Loading model"'),
    expect.stringContaining('"status":"ok"'),
  ])
})

test('a prompt that is too long is said to be that', async ({ serve }) => {
  const api = open((await serve('healthy')).url)
  for (const stream of [true, false]) {
    const { completion, failure } = await ask(api, { prompt: 'far too long '.repeat(2_000), stream })
    expect(completion).toBeNull()
    expect(failure).toMatchObject({ kind: 'http-status', http: { status: 400, complaint: { kind: 'context' } } })
  }
})

test('a key is wanted for everything but the health', async ({ serve }) => {
  const { url } = await serve('healthy', 'full', { flags: ['--metrics', '--api-key', 'sk-right'] })
  const health = { method: 'GET', path: '/health', patienceMs: 2_000 } as const
  for (const apiKey of [null, 'sk-wrong']) {
    const api = open(url, { apiKey })
    const refused = { kind: 'http-status', http: { status: 401, complaint: { kind: 'auth' } } }
    expect(failureIn(await detectEngine(api, never))).toMatchObject(refused)
    expect(failureIn(await llamaCpp.info(api, never))).toMatchObject(refused)
    expect(failureIn(await llamaCpp.load(api, never))).toMatchObject(refused)
    expect((await ask(api)).failure).toMatchObject(refused)
    expect(valueIn(await api.text(health, never)).status).toBe(200)
  }
  const api = open(url, { apiKey: 'sk-right' })
  expect(valueIn(await detectEngine(api, never)).engine.kind).toBe('llama-cpp')
  expect(valueIn(await llamaCpp.load(api, never)).running).toBe(0)
  expect((await ask(api)).completion).toMatchObject({ finish: 'stop' })
})

test.for([
  ['SIGKILL', ['cut', 'reset']],
  ['SIGSTOP', ['stalled']],
] as const)('%s in the middle keeps what had come', async ([signal, kinds], { serve }) => {
  const server = await serve('overthink', 'lifelike')
  const pieces: Piece[] = []
  const onPiece = (piece: Piece) => {
    pieces.push(piece)
    if (pieces.length === 5) process.kill(server.pid, signal)
  }
  const watch = { patienceMs: 600, onPiece }
  const { completion, failure } = await llamaCpp.complete(open(server.url), { ...HELLO, budget: 7_000 }, watch, never)
  expect(kinds).toContain(failure?.kind)
  expect(completion).toMatchObject({ reasoning: pieces.map(({ text }) => text).join(''), content: null, finish: null })
  if (signal === 'SIGSTOP') process.kill(server.pid, 'SIGCONT')
})
