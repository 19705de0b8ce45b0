import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import { openWire } from '../../src/adapters/http-web-socket.ts'
import type { WireEnd } from '../../src/domain/ports.ts'

const BEAT_MS = 20

/** A server of WebSockets, and one of ours on it. */
async function pair(): Promise<{ theirs: WebSocket; wire: ReturnType<typeof openWire>; end: Promise<WireEnd> }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const joined = Promise.withResolvers<WebSocket>()
  server.once('connection', joined.resolve)
  const ours = open(`ws://127.0.0.1:${port}/`)
  const theirs = await joined.promise
  // by then it is open on our side too
  await once(theirs, 'ping')
  return { theirs, ...ours }
}

function open(url: string, onText: (text: string) => void = () => {}) {
  const ended = Promise.withResolvers<WireEnd>()
  let ends = 0
  const wire = openWire({
    url,
    beatMs: BEAT_MS,
    onText,
    onEnd(how) {
      ends += 1
      if (ends > 1) throw new Error('it ended twice')
      ended.resolve(how)
    },
  })
  onTestFinished(() => wire.close())
  return { wire, end: ended.promise }
}

test('a goodbye of either side is said', async () => {
  const one = await pair()
  one.theirs.close(1000)
  expect(await one.end).toBe('said')
  expect(one.wire.send('x')).toBe(false)
  const other = await pair()
  other.wire.close()
  expect(await other.end).toBe('said')
})

test('a connection that breaks is lost', async () => {
  const { theirs, end } = await pair()
  theirs.terminate()
  expect(await end).toBe('lost')
})

test('one that answers no ping is deaf, one that is only quiet is not', async () => {
  const quiet = await pair()
  const deaf = await pair()
  deaf.theirs.pause()
  expect(await deaf.end).toBe('deaf')
  expect(deaf.wire.send('x')).toBe(false)
  expect(quiet.wire.send('still there')).toBe(true)
})

test('a process that was busy for twenty beats does not take it for silence', async () => {
  const { wire, theirs } = await pair()
  await once(theirs, 'ping')
  const until = performance.now() + 20 * BEAT_MS
  while (performance.now() < until);
  await once(theirs, 'ping')
  await once(theirs, 'ping')
  await once(theirs, 'ping')
  expect(wire.send('still there')).toBe(true)
})

test('a goodbye that nobody answers takes a second', async () => {
  const { wire, theirs, end } = await pair()
  theirs.pause()
  const from = performance.now()
  wire.close()
  expect(await end).toBe('lost')
  expect(performance.now() - from).toBeLessThan(1_500)
})

test('where nobody listens it is lost', async () => {
  const { end } = open('ws://127.0.0.1:9/')
  expect(await end).toBe('lost')
})

test.each(['', 'not an address', 'wss://[', 'ftp://127.0.0.1/', 'ws://127.0.0.1/#part'])(
  'at %j, which is no address, it is lost, not thrown, and can be left',
  async (url) => {
    const { wire, end } = open(url)
    expect(wire.send('x')).toBe(false)
    wire.close()
    expect(await end).toBe('lost')
  },
)

test('a server that takes TCP and never answers can be left', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1')
  const sockets = once(server, 'connection')
  await once(server, 'listening')
  const address = server.address()
  const { wire, end } = open(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
  await sockets
  wire.close()
  expect(['said', 'lost']).toContain(await end)
  server.close()
})
