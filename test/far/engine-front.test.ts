import { describe, expect } from 'vitest'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import { detectEngine } from '../../src/engines/index.ts'
import type { DialectOf } from '../../src/lab/model-server/dialect.ts'
import { sglang } from '../../src/lab/model-server/sglang.ts'
import { vllm } from '../../src/lab/model-server/vllm.ts'
import { closeLater, never, open, valueIn } from '../adapters/tidy.ts'
import type { LlamaServer } from './engine/llama-server.ts'
import type { Fault } from './engine-front.ts'
import { startFront } from './engine-front.ts'
import { test } from './far-test.ts'

const SPOKEN: readonly (readonly [string, string, DialectOf])[] = [
  ['sglang', '0.5.9', sglang],
  ['sglang', '0.5.18', sglang],
  ['vllm', '0.10.2', vllm],
  ['vllm', '0.11.1', vllm],
  ['vllm', '0.19.0', vllm],
]

/** The product and a real model that speaks like another engine. */
async function facing(server: LlamaServer, [, version, speak]: (typeof SPOKEN)[number], fault: Fault | null = null) {
  const front = await startFront(server.url, speak(version), fault)
  closeLater(front)
  const api = open(front.url)
  const { engine } = valueIn(await detectEngine(api, never))
  const hello = { prompt: 'Say hello', budget: 400, temperature: null, thinking: null, stream: true, model: null }
  const ask = (more: Partial<SmokeRequest> = {}, signal = never) =>
    engine.complete(api, { ...hello, ...more }, { patienceMs: 5_000, onPiece() {} }, signal)
  return { api, engine, ask }
}

describe.for(SPOKEN)('%s %s', (spoken) => {
  const [kind, version] = spoken

  test('a healthy model: both channels, its counts, its end', async ({ serve }) => {
    const { api, engine, ask } = await facing(await serve('healthy'), spoken)
    expect(engine.kind).toBe(kind)
    expect(valueIn(await engine.info(api, never))).toMatchObject({ kind, version, context: 8192 })
    const counted = kind === 'sglang' ? version !== '0.5.9' : true
    for (const stream of [true, false]) {
      const { failure, completion } = await ask({ stream })
      expect(failure).toBeNull()
      expect(completion).toMatchObject({
        reasoning: 'The user asks for a greeting; I will answer politely.\n',
        content: 'Hello! How can I help you today?',
        finish: 'stop',
        stop: kind === 'sglang' ? 248_046 : null,
        tokens: { completion: 22, reasoning: counted ? 10 : null },
      })
    }
  })

  test('a model that ends at once, and one that is not done', async ({ serve }) => {
    const eos = await facing(await serve('eos'), spoken)
    const empty = kind === 'sglang' && version !== '0.5.9' ? '' : null
    expect((await eos.ask({ stream: false })).completion).toMatchObject({
      reasoning: null,
      content: empty,
      tokens: { completion: 1 },
    })
    const loop = await facing(await serve('loop'), spoken)
    expect((await loop.ask()).completion).toMatchObject({ finish: 'length', stop: null, tokens: { completion: 400 } })
  })

  test('an abort frees the slot of the engine behind, and the load shows both', async ({ serve }) => {
    const server = await serve('overthink', 'lifelike')
    const { api, engine, ask } = await facing(server, spoken)
    const leave = new AbortController()
    const answer = ask({ budget: 7_000 }, leave.signal)
    const running = async () => valueIn(await engine.load(api, never)).running
    await expect.poll(running).toBe(1)
    leave.abort()
    expect((await answer).failure?.kind).toBe('stopped')
    await expect.poll(running).toBe(0)
    expect(await server.busy()).toBe(0)
  })

  test.for([
    ['no-done', { failure: { kind: 'ended-early' }, completion: { finish: null } }],
    ['error', { failure: { kind: 'stream-error', http: { complaint: { kind: 'aborted' } } }, completion: {} }],
    ['abort', { failure: null, completion: { finish: 'abort' } }],
  ] as const)('in the middle: %s', async ([fault, expected], { serve }) => {
    const { ask } = await facing(await serve('overthink'), spoken, fault)
    const answer = await ask()
    expect(answer).toMatchObject(expected)
    expect(answer.completion).toMatchObject({ reasoning: expect.stringMatching(/^ \w.{19}/), content: null })
  })
})

test('a scheduler that answers no question about itself hides neither the models nor the answer', async ({ serve }) => {
  const { api, engine, ask } = await facing(await serve('healthy'), ['sglang', '0.5.9', sglang], 'silent-facts')
  const [info, load, answer] = await Promise.all([engine.info(api, never), engine.load(api, never), ask()])
  expect(info).toMatchObject({ ok: true, value: { models: ['demo'], version: null } })
  expect(load).toMatchObject({ ok: false, failure: { kind: 'headers-timeout' } })
  expect(answer.completion?.content).toContain('Hello')
})
