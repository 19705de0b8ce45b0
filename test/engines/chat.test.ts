import { expect, test } from 'vitest'

import { openai } from '../../src/engines/openai.ts'
import { reply, replyJson } from '../adapters/http-server.ts'
import { askServer, stream } from '../contract/engine-ask.ts'
import { sse } from '../contract/engine-dialect.ts'

test.for([
  ['null', null, null],
  ['an empty text', '', ''],
  ['text', 'x', 'x'],
  ['a list of nothing', [], null],
] as const)('content that is %s', async ([, content, expected]) => {
  const body = JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] })
  const answer = await askServer(openai, (_, response) => reply(response, 200, 'application/json', body), {
    stream: false,
  })
  expect(answer).toMatchObject({ failure: null, completion: { content: expected, reasoning: null, finish: 'stop' } })
})

test('a stream keeps null and empty apart too: only what opens it is no text', async () => {
  const opened = { choices: [{ delta: { role: 'assistant', content: '' } }] }
  const empty = { choices: [{ delta: { content: '' }, finish_reason: 'stop' }] }
  const first = await askServer(openai, (_, response) =>
    stream(response, sse([opened, { choices: [{ delta: {}, finish_reason: 'stop' }] }])),
  )
  const second = await askServer(openai, (_, response) => stream(response, sse([opened, empty])))
  expect([first.completion?.content, second.completion?.content]).toEqual([null, ''])
})

test('wrong types in single fields leave the others alone', async () => {
  const chunks = [
    {
      model: 9,
      choices: [{ delta: { content: 'a', reasoning_content: [], tool_calls: 'x' }, matched_stop: {} }],
      usage: 'none',
    },
    { choices: [null] },
    { choices: [{ delta: 7, finish_reason: 'stop' }], usage: { completion_tokens: 1e300, prompt_tokens: 3 } },
  ]
  const answer = await askServer(openai, (_, response) => stream(response, sse(chunks)))
  expect(answer).toMatchObject({
    failure: null,
    completion: {
      content: 'a',
      reasoning: null,
      finish: 'stop',
      stop: null,
      tokens: { prompt: 3, completion: null },
    },
  })
})

test('times are of the first piece and the first content, the rate is of the tokens between first and last', async () => {
  const say = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`
  const answer = await askServer(openai, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(say({ role: 'assistant', content: '' }))
    setTimeout(() => response.write(say({ reasoning: 'a' })), 40)
    setTimeout(() => response.write(say({ content: 'b' })), 80)
    setTimeout(
      () =>
        response.end(
          sse([{ choices: [{ delta: { content: 'c' }, finish_reason: 'stop' }], usage: { completion_tokens: 9 } }]),
        ),
      120,
    )
  })
  const { firstTokenMs, firstContentMs, totalMs, tokensPerSecond } = answer.completion?.timing ?? {}
  expect(firstTokenMs).toBeGreaterThanOrEqual(38)
  expect(firstContentMs).toBeGreaterThan(firstTokenMs ?? 0)
  expect(totalMs).toBeGreaterThan(firstContentMs ?? 0)
  // 8 gaps in some 80 ms
  expect(tokensPerSecond).toBeGreaterThan(40)
  expect(tokensPerSecond).toBeLessThan(220)
})

test('an event that is no JSON is told, with what could be read', async () => {
  const text = `data: ${JSON.stringify({ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] })}\n\ndata: {oops\n\n`
  const answer = await askServer(openai, (_, response) => stream(response, text))
  expect(answer).toMatchObject({
    completion: { content: 'a' },
    failure: { kind: 'not-json', observed: expect.stringContaining('1 of 2') },
  })
})

test('JSON that is no chat completion', async () => {
  const whole = await askServer(openai, (_, response) => replyJson(response, { hello: 'world' }), { stream: false })
  const streamed = await askServer(openai, (_, response) => stream(response, sse([{ hello: 'world' }])))
  for (const answer of [whole, streamed]) expect(answer).toMatchObject({ completion: null, failure: { kind: 'shape' } })
})

test('secrets of headers are not kept', async () => {
  const answer = await askServer(openai, (_, response) => {
    response.setHeader('set-cookie', 'session=secret')
    stream(response, sse([]))
  })
  expect(JSON.stringify(answer.exchange)).not.toContain('secret')
})

test('of a very long answer the ends are kept, and all of it is read', async () => {
  const content = 'long '.repeat(400_000)
  for (const stream of [true, false]) {
    const body = { choices: [{ message: { content: stream ? content.slice(0, 200_000) : content } }] }
    const answer = await askServer(openai, (_, response) => replyJson(response, body), { stream })
    expect(answer).toMatchObject({ failure: null, completion: { content: body.choices[0]?.message.content } })
    expect(Buffer.byteLength(answer.exchange.response)).toBeLessThanOrEqual(256 * 1024)
    expect(answer.exchange.response.includes(' bytes left out …\n')).toBe(!stream)
  }
})

test('so is a long one that cannot be read', async () => {
  const answer = await askServer(openai, (_, response) => reply(response, 200, 'text/html', '<p>no '.repeat(5e5)), {
    stream: false,
  })
  expect(answer.failure?.kind).toBe('not-json')
  expect(Buffer.byteLength(answer.exchange.response)).toBeLessThanOrEqual(256 * 1024)
})
