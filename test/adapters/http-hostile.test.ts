import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, expect, test } from 'vitest'

import type { FailureKind } from '../../src/domain/failure.ts'
import type { Asker } from './http-child.ts'
import { askerInChild } from './http-child.ts'
import type { Listening } from './http-server.ts'
import { reply, serve, serveTcp } from './http-server.ts'
import { keep } from './tidy.ts'

const MB = 1024 * 1024
const GB = 1024 * MB
const MOST_MB = 64
/** Above the child's patience: of the client alone 2 s and a deadline of 3 s, of an engine 5 s. */
const LIMIT_MS = { json: 3_500, events: 3_500, whole: 6_000, streamed: 6_000 }

let asker: Asker
beforeAll(async () => {
  const token = `data: ${JSON.stringify({ id: 'chatcmpl-1', created: 1, choices: [{ index: 0, delta: { content: 'word ' } }] })}\n\n`
  const good = await serve((_, response) =>
    reply(response, 200, 'text/event-stream', `${token.repeat(4_096)}data: [DONE]\n\n`),
  )
  asker = await askerInChild(good.url)
  await good.close()
}, 20_000)
afterAll(() => asker.close())

/** A gzip of so many MiB of zeros, from members that follow each other. */
function bomb(mebibytes: number): Buffer {
  const one = gzipSync(Buffer.alloc(MB))
  return Buffer.concat(Array.from({ length: mebibytes }, () => one))
}

/** Writes a text again and again until so many bytes went, or nobody listens any more. */
function pour(stream: Writable, text: string, bytes: number): void {
  const piece = Buffer.from(text.repeat(Math.ceil((64 * 1024) / text.length)))
  let left = bytes
  const write = () => {
    while (left > 0 && !stream.destroyed) {
      left -= piece.length
      if (!stream.write(piece)) return void stream.once('drain', write)
    }
    if (!stream.destroyed) stream.end()
  }
  write()
}

const http = (answer: (response: ServerResponse) => void) =>
  serve((request, response) => {
    request.resume().once('end', () => answer(response))
  })

const raw = (head: string, answer: (socket: Socket) => void) =>
  serveTcp((socket) => {
    socket.once('data', () => {
      socket.write(head)
      answer(socket)
    })
  })

const poured = (type: string, text: string, begin = '') =>
  http((response) => {
    response.writeHead(200, { 'content-type': type })
    if (begin !== '') response.write(begin)
    pour(response, text, GB)
  })

const json = (body: string) => http((response) => reply(response, 200, 'application/json', body))
const sse = (body: string) => http((response) => reply(response, 200, 'text/event-stream', body))
const encoded = (encoding: string | null) =>
  http((response) => {
    response.writeHead(200, encoding === null ? {} : { 'content-encoding': encoding })
    response.end(bomb(1024))
  })

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n`
const STREAM = 'text/event-stream'
const WORD = `data: ${JSON.stringify({ choices: [{ delta: { content: 'word ' } }] })}\n\n`
const PAGE = `data: ${JSON.stringify({ choices: [{ delta: { content: '你好 word '.repeat(2_000) } }] })}\n\n`
const END = '\n\ndata: [DONE]\n\n'
const MANY = '{},'.repeat(1_000_000)

type Ways = readonly ('json' | 'events' | 'whole' | 'streamed')[]
type Hostile = readonly [what: string, server: () => Promise<Listening>, ways: Ways, kind: FailureKind, says: string]

const HOSTILE: readonly Hostile[] = [
  ['1 GiB in gzip', () => encoded('gzip'), ['json', 'events', 'whole', 'streamed'], 'content-encoding', 'gzip'],
  ['1 GiB in gzip that says br', () => encoded('br'), ['whole'], 'content-encoding', 'encoding br'],
  ['1 GiB in gzip, twice', () => encoded('gzip, gzip'), ['whole'], 'content-encoding', 'gzip, gzip'],
  ['1 GiB in gzip that does not say so', () => encoded(null), ['json', 'whole'], 'not-json', 'no JSON'],
  ['1 GiB, plain', () => poured('application/json', 'x'), ['json', 'whole'], 'too-large', 'longer than 4 MiB'],
  ['1 GiB in place of a stream', () => poured('text/html', 'x'), ['events', 'streamed'], 'not-stream', 'text/html'],
  ['events without end', () => poured(STREAM, WORD), ['streamed'], 'too-large', 'events, many times'],
  ['large events without end', () => poured(STREAM, PAGE), ['streamed'], 'too-large', 'longer than 9 MiB'],
  ['empty events without end', () => poured(STREAM, 'data:\n\n'), ['events', 'streamed'], 'too-large', 'the stream'],
  ['broken events without end', () => poured(STREAM, 'data: x\n\n'), ['streamed'], 'too-large', 'events, many'],
  ['comments without end', () => poured(STREAM, ': ping\n\n'), ['events', 'streamed'], 'too-large', 'the stream'],
  ['one comment without end', () => poured(STREAM, ':'), ['events', 'streamed'], 'too-large', 'the stream is longer'],
  ['a line of 1 GiB', () => poured(STREAM, 'x', 'data: '), ['events', 'streamed'], 'too-large', 'longer than 1 MiB'],
  ['an event of 1 GiB', () => poured(STREAM, 'data: x\n'), ['events', 'streamed'], 'too-large', 'longer than 1 MiB'],
  ['10^6 headers', () => raw(OK, (to) => pour(to, 'x: y\r\n', 6_000_000)), ['json', 'events'], 'too-large', 'headers'],
  [
    'a header of 1 GiB',
    () => raw(`${OK}x: `, (to) => pour(to, 'y', GB)),
    ['json'],
    'too-large',
    'headers are too long',
  ],
  [
    'early answers without end',
    () => raw('', (to) => pour(to, `HTTP/1.1 103 Hints\r\n\r\n`, GB)),
    ['json'],
    'headers-timeout',
    'no answer within 2 s',
  ],
  [
    'trailers without end',
    () => raw(`${CHUNKED}\r\n2\r\n{}\r\n0\r\n`, (to) => pour(to, 'x: y\r\n', GB)),
    ['json'],
    'too-large',
    'headers are too long',
  ],
  [
    'half a million chunks of one byte',
    () => raw(`${CHUNKED}content-type: ${STREAM}\r\n\r\n`, (to) => pour(to, '1\r\n:\r\n', 3_000_000)),
    ['streamed'],
    'cut',
    'cut off',
  ],
  ['10^6 choices', () => json(`{"choices":[${MANY}{}]}`), ['json', 'whole'], 'not-json', 'more than 100000 values'],
  [
    '10^6 tool calls',
    () => json(`{"choices":[{"message":{"tool_calls":[${MANY}{}]}}]}`),
    ['whole'],
    'not-json',
    'more than 100000',
  ],
  [
    '2 * 10^6 numbers',
    () => json(`{"choices":[${'1,'.repeat(2_000_000)}1]}`),
    ['json', 'whole'],
    'not-json',
    'more than 100000',
  ],
  [
    '10^5 levels',
    () => json(`{"choices":${'['.repeat(100_000)}`),
    ['json', 'whole'],
    'not-json',
    'deeper than 64 levels',
  ],
  [
    '10^5 levels in an event',
    () => sse(`data: ${'[{"a":'.repeat(100_000)}${END}`),
    ['streamed'],
    'not-json',
    '1 of 2 events',
  ],
  [
    '3 * 10^5 choices in an event',
    () => sse(`data: {"choices":[${'{},'.repeat(300_000)}{}]}${END}`),
    ['streamed'],
    'not-json',
    '1 of 2 events',
  ],
]

test.for(HOSTILE)('%s: its sentence, in time and in bounds', async ([, server, ways, kind, says]) => {
  const { url } = await keep(server())
  for (const way of ways) {
    const told = await asker.ask(way, url)
    expect(told, way).toMatchObject({ kind, said: expect.stringContaining(says) })
    expect(told.said, way).toContain('Next: ')
    expect(told.ms, way).toBeLessThan(LIMIT_MS[way])
    expect(told.grownMb, way).toBeLessThan(MOST_MB)
  }
})

test('the measure sees what a client costs that inflates', async () => {
  const { url } = await keep(http((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb(128))))
  const told = await asker.ask('fetch', url)
  expect(told.grownMb).toBeGreaterThan(MOST_MB)
})
