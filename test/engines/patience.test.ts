import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { openai } from '../../src/engines/openai.ts'
import { askServer } from '../contract/engine-ask.ts'
import { sse } from '../contract/engine-dialect.ts'

const PATIENCE_MS = 400

const say = (choice: object, more: object = {}) => `data: ${JSON.stringify({ choices: [choice], ...more })}\n\n`
const word = say({ delta: { content: 'so f' } })

/** Sends one word, then the same thing every 0.1 s for as long as somebody listens. */
async function after(word: string, ping: string) {
  const began = performance.now()
  const answer = await askServer(openai, (_, response) => drip(response, [word], ping), {}, PATIENCE_MS)
  return { answer, ms: performance.now() - began }
}

function drip(response: ServerResponse, first: readonly string[], then: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const text of first) response.write(text)
  const dripping = setInterval(() => response.write(then), 100)
  response.once('close', () => clearInterval(dripping))
}

test.for([
  ['comments', ': ping\n\n'],
  ['empty deltas', say({ delta: {} })],
  ['deltas with an empty text', say({ delta: { content: '', reasoning_content: null } })],
  ['roles', say({ delta: { role: 'assistant', content: '' } })],
  ['chunks without a choice', `data: ${JSON.stringify({ choices: [] })}\n\n`],
  ['empty parts of a tool call', say({ delta: { tool_calls: [{ index: 0, function: { arguments: '' } }] } })],
  ['the same usage again', say({ delta: {} }, { usage: { prompt_tokens: 3, completion_tokens: 2 } })],
  ['pings that a gateway made data of', 'data: ping\n\n'],
] as const)('an engine that sends nothing but %s hangs', async ([, ping]) => {
  const { answer, ms } = await after(word, ping)
  expect(answer).toMatchObject({ completion: { content: 'so f' }, failure: { kind: 'stalled' } })
  expect(ms).toBeGreaterThanOrEqual(PATIENCE_MS - 2)
  expect(ms).toBeLessThan(1_000)
})

test('an engine that pings and never begins hangs too', async () => {
  const { answer, ms } = await after('', ': ping\n\n')
  expect(answer).toMatchObject({ completion: null, failure: { kind: 'stalled' } })
  expect(ms).toBeLessThan(1_000)
})

test('one that writes slowly, pings between, does not', async () => {
  const progress = [
    say({ delta: { reasoning: 'hm' } }),
    say({ delta: { content: 'a' } }),
    say({ delta: { tool_calls: [{ index: 0, function: { name: 'weather' } }] } }),
    say({ delta: { tool_calls: [{ index: 0, function: { arguments: '{}' } }] } }),
    say({ delta: {}, finish_reason: 'stop' }),
    say({ delta: {} }, { usage: { completion_tokens: 4 } }),
    sse([]),
  ]
  const began = performance.now()
  const { completion, failure } = await askServer(
    openai,
    (_, response) => {
      drip(response, [], ': ping\n\n')
      const writing = setInterval(() => {
        const next = progress.shift()
        if (next !== undefined) return void response.write(next)
        clearInterval(writing)
        response.end()
      }, PATIENCE_MS / 3)
    },
    {},
    PATIENCE_MS,
  )
  expect(performance.now() - began).toBeGreaterThan(2 * PATIENCE_MS)
  expect(failure).toBeNull()
  expect(completion).toMatchObject({
    reasoning: 'hm',
    content: 'a',
    toolCalls: [{ name: 'weather', arguments: '{}' }],
    tokens: { completion: 4 },
  })
})

test('a whole answer that only drips blanks ends as well', async () => {
  const { failure } = await askServer(
    openai,
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const dripping = setInterval(() => response.write(' '), 50)
      response.once('close', () => clearInterval(dripping))
    },
    { stream: false, budget: 1 },
    200,
  )
  expect(failure?.kind).toBe('deadline')
})
