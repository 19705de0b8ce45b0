import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import type { StreamEvent } from '../../src/domain/ports.ts'
import { reply, replyJson, serve } from './http-server.ts'
import { failureIn, keep, never, open } from './tidy.ts'

const POST = { method: 'POST', path: '/x', patienceMs: 2_000, body: { a: 1 } } as const

const collect = () => {
  const events: StreamEvent[] = []
  return { events, on: (event: StreamEvent) => events.push(event) > 0, data: () => events.map(({ data }) => data) }
}

async function stream(chunks: readonly (string | Buffer)[], end: 'end' | 'cut' = 'end') {
  const server = await keep(
    serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      void writeAll(response, chunks).then(() => (end === 'cut' ? response.destroy() : response.end()))
    }),
  )
  const heard = collect()
  return { heard, outcome: await open(server.url).events(POST, heard.on, never) }
}

/** Each chunk leaves by itself. */
async function writeAll(response: ServerResponse, chunks: readonly (string | Buffer)[]): Promise<void> {
  for (const chunk of chunks) {
    await new Promise<void>((resolve) => response.write(chunk, () => resolve()))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

const bytes = Buffer.from('data: 你好🚀\n\n')

test.for([
  ['plain', ['data: a\n\n', 'data: b\n\n'], ['a', 'b']],
  ['UTF-8 split in every place', [...bytes].map((byte) => Buffer.of(byte)), ['你好🚀']],
  ['carriage returns', ['data: a\r\n\r\ndata: b\r', '\n\r', '\n'], ['a', 'b']],
  ['comments', [': ping\n\n', 'data: a\n: ping\n\n'], ['a']],
  ['no space', ['data:a\n\n'], ['a']],
  ['several in a chunk, one over several', ['data: a\n\ndata: b\n\nda', 'ta: ', 'c\n', '\n'], ['a', 'b', 'c']],
  ['other fields and names', ['id: 1\nevent: message\nretry: 10\ndata: a\n\n'], ['a']],
  ['a last event without its empty line', ['data: a\n\ndata: [DONE]'], ['a', '[DONE]']],
  ['a byte order mark', ['\uFEFFdata: a\n\n'], ['a']],
] as const)('%s', async ([, chunks, expected]) => {
  const { heard, outcome } = await stream(chunks)
  expect(heard.data()).toEqual(expected)
  expect(outcome).toMatchObject({
    ok: true,
    value: { status: 200, events: expected.length, done: expected.some((data) => data === '[DONE]') },
  })
})

test.for([
  ['a cut in the middle', ['data: a\n\n', 'data: {"b'], 'cut', 'cut'],
  ['an empty stream', [], 'end', 'empty-body'],
  ['no events at all', ['<html>\n\n'], 'end', 'not-stream'],
  ['an endless event', ['data: ', ...Array.from({ length: 20 }, () => 'x'.repeat(64 << 10))], 'end', 'too-large'],
] as const)('%s', async ([, chunks, end, kind]) => {
  const { heard, outcome } = await stream(chunks, end)
  expect(failureIn(outcome).kind).toBe(kind)
  expect(heard.data().every((data) => data === 'a')).toBe(true)
})

test('JSON or HTML instead of a stream', async () => {
  const server = await keep(serve((_, response) => replyJson(response, { error: 'no streaming here' })))
  const outcome = await open(server.url).events(POST, () => true, never)
  expect(failureIn(outcome)).toMatchObject({
    kind: 'not-stream',
    observed: expect.stringContaining('no streaming here'),
  })
})

test('an empty body is one, whatever it says that it is', async () => {
  const server = await keep(serve((_, response) => reply(response, 200, 'application/json', '\n')))
  const outcome = await open(server.url).events(POST, () => true, never)
  expect(failureIn(outcome)).toMatchObject({ kind: 'empty-body', observed: 'answered HTTP 200 with an empty body' })
})

test('a connection that stays open after [DONE] is no hang, and one that is cut then is whole', async () => {
  const server = await keep(
    serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: [DONE]\n\n', () => request.url === '/cut' && response.destroy())
      if (request.url !== '/pings') return
      const pings = setInterval(() => response.write(': ping\n\n'), 100)
      response.once('close', () => clearInterval(pings))
    }),
  )
  const api = open(server.url)
  for (const path of ['/open', '/cut', '/pings']) {
    const outcome = await api.events({ ...POST, path, patienceMs: 5_000 }, () => true, never)
    expect(outcome).toMatchObject({ ok: true, value: { done: true } })
    expect(outcome.ok && outcome.value.totalMs).toBeLessThan(1_300)
  }
})

test('of a long stream the head and the tail are kept', async () => {
  const { outcome } = await stream(Array.from({ length: 20 }, (_, index) => `data: ${`${index} `.repeat(10_000)}\n\n`))
  const text = outcome.ok ? outcome.value.text : ''
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(256 * 1024)
  expect(text).toMatch(/^data: 0 /)
  expect(text).toMatch(/\n… \d+ bytes left out …\n/)
  expect(text).toMatch(/19 \n\n$/)
})

test('a secret on the border of what is kept of a stream is whole or gone', async () => {
  const secret = `hf_${'A1b2C3d4E5'.repeat(4)}`
  const { outcome } = await stream(Array.from({ length: 5 }, () => `data: ${`${secret} `.repeat(2_000)}\n\n`))
  const text = outcome.ok ? outcome.value.text : ''
  expect(text).toContain('bytes left out')
  expect(text.replaceAll(secret, '')).not.toMatch(/[A-Z]\d/)
})

test('an error of the listener is a bug and is thrown', async () => {
  const server = await keep(
    serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('data: a\n\n')
    }),
  )
  const bug = () => {
    throw new RangeError('a bug')
  }
  await expect(open(server.url).events(POST, bug, never)).rejects.toThrow('a bug')
})
