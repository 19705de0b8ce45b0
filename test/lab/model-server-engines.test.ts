import { describe, expect, test } from 'vitest'

import type { Answer } from '../../src/domain/engine.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import { detectEngine } from '../../src/engines/index.ts'
import type { ModelServerOptions } from '../../src/lab/model-server.ts'
import { startModelServer } from '../../src/lab/model-server.ts'
import * as stories from '../../src/lab/stories.ts'
import type { Story } from '../../src/lab/story.ts'
import { closeLater, never, open, valueIn } from '../adapters/tidy.ts'

/** A server of the lab as the product finds it. */
async function found(options: ModelServerOptions) {
  const server = await startModelServer(options)
  closeLater(server)
  const api = open(server.url)
  const { engine } = valueIn(await detectEngine(api, never))
  const ask = (more: Partial<SmokeRequest> = {}, signal = never): Promise<Answer> => {
    const plain = { prompt: 'What is 2 + 2?', budget: 200, temperature: null, thinking: null, stream: true, model: 'm' }
    return engine.complete(api, { ...plain, ...more }, { patienceMs: 5_000, onPiece() {} }, signal)
  }
  return { engine, api, ask, server }
}

const SPOKEN = [
  ['sglang', '0.5.9'],
  ['sglang', '0.5.18'],
  ['vllm', '0.10.2'],
  ['vllm', '0.11.1'],
  ['vllm', '0.19.0'],
  ['ollama', '0.12.6'],
] as const

function starting([engine, version]: (typeof SPOKEN)[number]) {
  return (story: Story, more: Partial<ModelServerOptions> = {}) =>
    found({ story, engine, version, model: 'demo', ...more })
}

describe.for(SPOKEN)('%s %s', (spoken) => {
  const [engine, version] = spoken
  const start = starting(spoken)

  test('is found as what it is, and tells of itself', async () => {
    const it = await start(stories.healthy)
    expect(it.engine.kind).toBe(engine)
    expect(await it.engine.info(it.api, never)).toMatchObject({
      value: { kind: engine, version, models: ['demo'], loaded: expect.stringContaining('demo'), context: 32_768 },
    })
  })

  test('says the same, whole and streamed', async () => {
    const { ask } = await start(stories.healthy)
    for (const stream of [true, false]) {
      const { completion, failure } = await ask({ stream })
      expect(failure).toBeNull()
      expect(completion).toMatchObject({
        reasoning: expect.stringContaining('two and two make four'),
        content: '2 + 2 = 4.',
        finish: 'stop',
        tokens: { completion: expect.any(Number) },
      })
    }
  })

  test('thinks only where it may', async () => {
    const { ask } = await start(stories.healthy)
    expect((await ask({ thinking: false })).completion).toMatchObject({ reasoning: null, content: '2 + 2 = 4.' })
  })

  test('tells its load while it works, and afterwards', async () => {
    const it = await start(stories.loop, { tokensPerSecond: 20 })
    const leaving = new AbortController()
    const told = async () => valueIn(await it.engine.load(it.api, never))
    expect((await told()).asked).not.toBeNull()
    const answer = it.ask({ budget: 4_000 }, leaving.signal)
    if (engine !== 'ollama') await expect.poll(told).toMatchObject({ running: 1, waiting: 0, cacheUsage: 1 / 16 })
    leaving.abort()
    await answer
    const idle = engine === 'ollama' ? { resident: [{ name: 'demo' }] } : { running: 0, cacheUsage: 0 }
    await expect.poll(told).toMatchObject(idle)
  })
})

describe.for(SPOKEN)('%s %s in trouble', (spoken) => {
  const start = starting(spoken)

  test('calls a tool, ends at the budget, dies in the middle', async () => {
    const { ask, server } = await start(stories.toolCall)
    const call = { name: 'get_weather', arguments: '{"city": "Paris"}' }
    for (const stream of [true, false]) {
      expect((await ask({ stream })).completion).toMatchObject({ finish: 'tool_calls', toolCalls: [call] })
    }
    server.setStory(stories.loop)
    expect((await ask({ budget: 20 })).completion).toMatchObject({ finish: 'length', stop: null })
    server.setStory(stories.noDone)
    expect((await ask()).failure).toMatchObject({ kind: 'ended-early' })
  })

  test.for([
    [stories.loading, 'not-ready'],
    [stories.overloaded, 'overloaded'],
    [stories.wrongModel, 'model-name'],
  ] as const)('refuses in its own words: %j', async ([story, kind]) => {
    const { ask, server } = await start(stories.healthy)
    server.setStory(story)
    expect((await ask()).failure).toMatchObject({ http: { complaint: { kind } } })
  })
})

test('SGLang before 0.5.8 tells its load by its old name', async () => {
  const { engine, api } = await found({ story: stories.healthy, version: '0.5.7' })
  expect(await engine.load(api, never)).toMatchObject({ value: { running: 0, waiting: 0, asked: '/get_load' } })
})
