import { expect, test } from 'vitest'

import type { Failure, FailureKind } from '../../src/domain/failure.ts'
import { serveTcp } from './http-server.ts'
import { failureIn, keep, never, open } from './tidy.ts'

const SPEEDS = [10, 50, 200, 500, 2_000]
const LIMIT = 200
const LATE = 1_000

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n`
const STREAM = 'content-type: text/event-stream\r\n'
const PLENTY = 'content-length: 1000000\r\n\r\n'

/** A server that sends the beginning at once and then, for ever, one byte of the rest every so many ms. */
function dripping(begin: string, rest: string, everyMs: number) {
  return serveTcp((socket) => {
    socket.once('data', () => {
      socket.write(begin)
      let at = 0
      const drip = setInterval(() => {
        socket.write(rest[at % rest.length] ?? '')
        at += 1
      }, everyMs)
      socket.once('close', () => clearInterval(drip))
    })
  })
}

type Ask = 'json within a deadline' | 'json within the patience' | 'events within the patience'

async function failureOf(ask: Ask, url: string): Promise<Failure> {
  const api = open(url)
  const patient = { method: 'POST', path: '/x', body: {}, patienceMs: LIMIT } as const
  const within = { ...patient, patienceMs: 5_000, deadlineMs: LIMIT }
  if (ask === 'json within a deadline') return failureIn(await api.json(within, never))
  if (ask === 'json within the patience') return failureIn(await api.json(patient, never))
  return failureIn(await api.events(patient, ({ data }) => data === 'word', never))
}

const PLACES: readonly (readonly [place: string, begin: string, rest: string, ask: Ask, kind: FailureKind])[] = [
  ['the first line', '', `HTTP/1.1 200 ${'O'.repeat(1_000)}`, 'json within a deadline', 'deadline'],
  ['the status line', 'HTTP/1.1 200 ', 'O', 'json within a deadline', 'deadline'],
  ['the status line', 'HTTP/1.1 200 ', 'O', 'json within the patience', 'headers-timeout'],
  ['a header', `${OK}x: `, 'y', 'json within a deadline', 'deadline'],
  ['a header', `${OK}x: `, 'y', 'events within the patience', 'headers-timeout'],
  ['early hints', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'events within the patience', 'headers-timeout'],
  ['the body', `${OK}${PLENTY}`, ' ', 'json within a deadline', 'deadline'],
  ['chunks', `${CHUNKED}\r\n`, '1\r\n \r\n', 'json within a deadline', 'deadline'],
  ['the size of a chunk', `${CHUNKED}\r\n`, '0', 'json within a deadline', 'deadline'],
  ['the size of a chunk', `${CHUNKED}\r\n`, '0', 'json within the patience', 'stalled'],
  ['the size of a chunk', `${CHUNKED}${STREAM}\r\n`, '0', 'events within the patience', 'stalled'],
  ['what is beside a chunk', `${CHUNKED}\r\n2;`, 'x', 'json within the patience', 'stalled'],
  ['a trailer', `${CHUNKED}\r\n2\r\n{}\r\n0\r\nx: `, 'y', 'json within a deadline', 'deadline'],
  ['comments', `${OK}${STREAM}${PLENTY}`, ': ping\n\n', 'events within the patience', 'stalled'],
  ['comments in chunks', `${CHUNKED}${STREAM}\r\n`, '1\r\n:\r\n1\r\n\n\r\n', 'events within the patience', 'stalled'],
  ['an event', `${OK}${STREAM}${PLENTY}data: `, 'x', 'events within the patience', 'stalled'],
  ['events of nothing', `${OK}${STREAM}${PLENTY}`, 'data:\n\n', 'events within the patience', 'stalled'],
  ['a refusal', `HTTP/1.1 500 No\r\n${PLENTY}`, 'n', 'json within the patience', 'http-status'],
  ['a refusal', `HTTP/1.1 500 No\r\n${PLENTY}`, 'n', 'json within a deadline', 'http-status'],
  ['a page', `${OK}content-type: text/html\r\n${PLENTY}<`, 'n', 'events within the patience', 'not-stream'],
]

test.for(PLACES)('a drip in %s ends in time at all speeds (%#)', async ([, begin, rest, ask, kind]) => {
  const ends = SPEEDS.map(async (everyMs) => {
    const { url } = await keep(dripping(begin, rest, everyMs))
    const began = performance.now()
    const failure = await failureOf(ask, url)
    return { everyMs, kind: failure.kind, late: performance.now() - began - LIMIT }
  })
  for (const { everyMs, late, ...end } of await Promise.all(ends)) {
    expect(end, `a byte every ${everyMs} ms`).toEqual({ kind })
    expect(late).toBeGreaterThanOrEqual(-1)
    expect(late).toBeLessThan(LATE)
  }
})
