import { expect, test } from 'vitest'

import type { Outcome } from '../../src/domain/outcome.ts'
import { serve } from './http-server.ts'
import { failureIn, keep, never, open } from './tidy.ts'

const GET = { method: 'GET', path: '/x', patienceMs: 2_000 } as const
const POST = { method: 'POST', path: '/x', patienceMs: 2_000, body: { a: 1 } } as const

const timed = async (work: () => Promise<Outcome<unknown>>) => {
  const began = performance.now()
  const outcome = await work()
  return { kind: failureIn(outcome).kind, ms: performance.now() - began, outcome }
}

test('no answer for the patience, within 100 ms of it', async () => {
  const server = await keep(serve(() => {}))
  const { kind, ms } = await timed(() => open(server.url).json({ ...GET, patienceMs: 150 }, never))
  expect(kind).toBe('headers-timeout')
  expect(ms).toBeGreaterThanOrEqual(148)
  expect(ms).toBeLessThan(250)
})

test('a body that drips is patient with, a body that stops is stalled', async () => {
  const server = await keep(
    serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      let left = 6
      const drip = setInterval(() => {
        response.write('data: x\n\n')
        left -= 1
        if (left === 0) clearInterval(drip)
      }, 50)
    }),
  )
  let heard = 0
  const { kind, ms, outcome } = await timed(() =>
    open(server.url).events(
      { ...POST, patienceMs: 150 },
      () => {
        heard += 1
        return true
      },
      never,
    ),
  )
  expect(kind).toBe('stalled')
  expect(heard).toBe(6)
  expect(ms).toBeGreaterThan(400)
  expect(outcome).toMatchObject({ partial: { status: 200, events: 6, done: false, text: 'data: x\n\n'.repeat(6) } })
})

test.for([
  ['comments', ': ping\n\n'],
  ['events that are no progress', 'data: ping\n\n'],
  ['an event that never ends', 'data: x'],
] as const)('%s keep no stream alive', async ([, ping]) => {
  const server = await keep(
    serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: x\n\n')
      const pings = setInterval(() => response.write(ping), 20)
      response.once('close', () => clearInterval(pings))
    }),
  )
  const { kind, ms, outcome } = await timed(() =>
    open(server.url).events({ ...POST, patienceMs: 150 }, ({ data }) => data === 'x', never),
  )
  expect(kind).toBe('stalled')
  expect(failureIn(outcome).observed).toContain('nothing but pings and empty events for 0.15 s')
  expect(ms).toBeLessThan(400)
})

test('a flood that is slow to read lets the patience end, and everybody else work', async () => {
  const flood = 'data: x\n\n'.repeat(300_000)
  const server = await keep(
    serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(flood)
    }),
  )
  let turn = 0
  let inOne = { turn, events: 0 }
  let most = 0
  const tick = () => {
    turn += 1
    next = setImmediate(tick)
  }
  let next = setImmediate(tick)
  const slowly = () => {
    const began = performance.now()
    while (performance.now() - began < 0.05);
    inOne = inOne.turn === turn ? { turn, events: inOne.events + 1 } : { turn, events: 1 }
    most = Math.max(most, inOne.events)
    return false
  }
  const { kind } = await timed(() => open(server.url).events({ ...POST, patienceMs: 150 }, slowly, never))
  clearImmediate(next)
  expect(kind).toBe('stalled')
  // two pieces of 16 KiB; all that came in one read would be more than 7,000
  expect(most).toBeLessThan(4_000)
})

test('a refusal that drips is read for the patience only', async () => {
  const server = await keep(
    serve((_, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      const drip = setInterval(() => response.write('no '), 20)
      response.once('close', () => clearInterval(drip))
    }),
  )
  const { kind, ms, outcome } = await timed(() => open(server.url).json({ ...GET, patienceMs: 150 }, never))
  expect(kind).toBe('http-status')
  expect(failureIn(outcome).http?.body).toMatch(/^no no /)
  expect(ms).toBeLessThan(400)
})

test('a deadline ends also what drips', async () => {
  const server = await keep(
    serve((_, response) => {
      const drip = setInterval(() => response.write(' '), 20)
      response.once('close', () => clearInterval(drip))
    }),
  )
  const { kind, ms } = await timed(() => open(server.url).json({ ...GET, deadlineMs: 150 }, never))
  expect(kind).toBe('deadline')
  expect(ms).toBeLessThan(250)
})

test('abort stops at once and the server sees the connection close', async () => {
  const gone = Promise.withResolvers<number>()
  const server = await keep(
    serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: x\n\n')
      response.once('close', () => gone.resolve(performance.now()))
    }),
  )
  const stop = new AbortController()
  const began = Promise.withResolvers<void>()
  const onEvent = () => {
    began.resolve()
    return true
  }
  const running = open(server.url).events(POST, onEvent, stop.signal)
  await began.promise
  const at = performance.now()
  stop.abort()
  expect(failureIn(await running).kind).toBe('stopped')
  expect((await gone.promise) - at).toBeLessThan(100)
})

test('an abort before the start sends nothing', async () => {
  let requests = 0
  const server = await keep(
    serve(() => {
      requests += 1
    }),
  )
  expect(failureIn(await open(server.url).json(GET, AbortSignal.abort())).kind).toBe('stopped')
  expect(requests).toBe(0)
})
