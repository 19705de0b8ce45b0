import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { openApi } from '../../src/adapters/http.ts'
import { bodyOf, reply, replyJson, serve, serveTcp, silent } from './http-server.ts'
import { failureIn, keep, never, open } from './tidy.ts'

const GET = { method: 'GET', path: '/x', patienceMs: 2_000 } as const
const POST = { method: 'POST', path: '/x', patienceMs: 2_000, body: { a: 1 } } as const

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

test('sends method, path under the base, key and body, and gives back what came', async () => {
  const server = await keep(
    serve((request, response) => {
      void bodyOf(request).then((body) => {
        response.setHeader('x-twice', ['a', 'b'])
        replyJson(response, { method: request.method, path: request.url, key: request.headers.authorization, body })
      })
    }),
  )
  const outcome = await open(`${server.url}/base/`, { apiKey: 'secret' }).json(POST, never)
  expect(outcome).toMatchObject({
    ok: true,
    value: {
      status: 200,
      json: { method: 'POST', path: '/base/x', key: 'Bearer secret', body: '{"a":1}' },
      headers: { 'content-type': 'application/json', 'x-twice': 'a, b' },
    },
  })
})

test('keeps its connection', async () => {
  const ports = new Set<number | undefined>()
  const server = await keep(
    serve((request, response) => {
      ports.add(request.socket.remotePort)
      replyJson(response, {})
    }),
  )
  const api = open(server.url)
  for (let round = 0; round < 10; round += 1) await api.json(GET, never)
  // a second one, where the first was not yet free again
  expect(ports.size).toBeLessThanOrEqual(2)
})

test('a refusal carries status and body, cut at 64 KiB', async () => {
  const server = await keep(serve((_, response) => reply(response, 400, 'text/plain', 'n '.repeat(100_000))))
  const refused = failureIn(await open(server.url).json(GET, never))
  expect(refused).toMatchObject({ kind: 'http-status', http: { status: 400 } })
  expect(refused.http?.body).toHaveLength(64 * 1024)
})

test('a secret on the end of what is kept of a refusal is whole or gone', async () => {
  const secret = `hf_${'A1b2C3d4E5'.repeat(4)}`
  for (const part of [1, 8, 20, 42]) {
    const body = `${'no '.repeat(30_000).slice(0, 64 * 1024 - part - 1)} ${secret} and more`
    const server = await keep(serve((_, response) => reply(response, 400, 'text/plain', body)))
    const refused = failureIn(await open(server.url).json(GET, never))
    expect(refused.http?.body).toHaveLength(64 * 1024 - part)
    expect(refused.http?.body).not.toContain('hf_')
  }
})

test.for([
  ['a redirect', 'redirect', (r: ServerResponse) => r.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
  ['an empty body', 'empty-body', (r: ServerResponse) => r.end()],
  ['HTML', 'not-json', (r: ServerResponse) => reply(r, 200, 'text/html', '<html>login</html>')],
  ['deep JSON', 'not-json', (r: ServerResponse) => reply(r, 200, 'application/json', '['.repeat(100_000))],
  ['a body over 4 MiB', 'too-large', (r: ServerResponse) => reply(r, 200, 'application/json', ' '.repeat(5 << 20))],
  [
    'a body shorter than announced',
    'cut',
    (r: ServerResponse) => {
      r.writeHead(200, { 'content-length': 100 })
      r.write('{"a":', () => r.destroy())
    },
  ],
  [
    'compression',
    'content-encoding',
    (r: ServerResponse) => {
      r.writeHead(200, { 'content-encoding': 'gzip' })
      r.end(gzipSync(Buffer.alloc(4 << 20)))
    },
  ],
  ['the end of the connection', 'reset', (r: ServerResponse) => r.destroy()],
] as const)('%s is %s', async ([, kind, answer]) => {
  const server = await keep(serve((_, response) => void answer(response)))
  expect(failureIn(await open(server.url).json(GET, never)).kind).toBe(kind)
})

test.for([
  ['gzip', ['gzip']],
  ['x-gzip', ['x-gzip']],
  ['deflate', ['deflate']],
  ['br', ['br']],
  ['zstd', ['zstd']],
  ['upper case', ['GZIP']],
  ['a chain', ['gzip, br']],
  ['a chain in two headers', ['gzip', 'identity']],
  ['a chain of a thousand', [Array.from({ length: 1_000 }, () => 'gzip').join()]],
  ['identity behind gzip', ['identity,gzip']],
  ['an encoding of nobody', ['rot13']],
  ['a lone quote', ['"']],
] as const)('an answer in %s is not decoded, whatever its status', async ([, encoding]) => {
  const server = await keep(
    serve((request, response) => {
      response.setHeader('content-encoding', encoding)
      response.writeHead(Number(request.url?.slice(1)))
      response.end('{}')
    }),
  )
  for (const status of [200, 302, 500]) {
    const refused = failureIn(await open(server.url).json({ ...GET, path: `/${status}` }, never))
    expect(refused).toMatchObject({ kind: 'content-encoding', observed: expect.stringContaining(`HTTP ${status} in`) })
    expect(refused.observed.length).toBeLessThan(150)
  }
})

test.for([[['']], [['identity']], [['Identity']], [['identity', ' IDENTITY ']], [[',']]] as const)(
  'content-encoding %j is none, and none is what we ask for',
  async ([encoding]) => {
    const asked: unknown[] = []
    const server = await keep(
      serve((request, response) => {
        asked.push(request.headers['accept-encoding'])
        response.setHeader('content-encoding', encoding)
        replyJson(response, { fine: true })
      }),
    )
    expect(await open(server.url).json(GET, never)).toMatchObject({ ok: true, value: { json: { fine: true } } })
    expect(asked).toEqual(['identity'])
  },
)

test('no redirect is followed, and each says where it points', async () => {
  let followed = 0
  const elsewhere = await keep(
    serve((_, response) => {
      followed += 1
      replyJson(response, {})
    }),
  )
  const server = await keep(
    serve((request, response) => {
      const [, status = '', place = ''] = request.url?.split('/') ?? []
      const to = { away: elsewhere.url, inside: '/x', metadata: 'http://169.254.169.254/', none: '' }[place] ?? ''
      response.writeHead(Number(status), to === '' ? {} : { location: to }).end('{}')
    }),
  )
  const api = open(server.url)
  const ends: string[] = []
  for (const status of [300, 301, 302, 303, 304, 305, 307, 308]) {
    for (const place of ['away', 'inside', 'metadata', 'none'])
      for (const method of ['GET', 'POST'] as const) {
        const refused = failureIn(await api.json({ method, path: `/${status}/${place}`, patienceMs: 2_000 }, never))
        expect(refused).toMatchObject({ kind: 'redirect', next: expect.stringContaining('not followed') })
        ends.push(refused.observed.replace(elsewhere.url, 'ELSEWHERE'))
      }
  }
  expect(ends.filter((end) => end.endsWith('points to ELSEWHERE'))).toHaveLength(16)
  expect(ends.filter((end) => end.endsWith('points to nowhere'))).toHaveLength(16)
  expect(followed).toBe(0)
})

test('what was received stays beside the failure', async () => {
  const server = await keep(serve((_, response) => reply(response, 200, 'text/html', '<html>login</html>')))
  const outcome = await open(server.url).json(GET, never)
  expect(outcome).toMatchObject({ partial: { status: 200, text: '<html>login</html>' } })
})

test('64 levels of JSON are read, 65 are not', async () => {
  const server = await keep(
    serve((request, response) => {
      const depth = Number(request.url?.slice(1))
      reply(response, 200, 'application/json', `${'['.repeat(depth)}"]["${']'.repeat(depth)}`)
    }),
  )
  const api = open(server.url)
  expect((await api.json({ ...GET, path: '/64' }, never)).ok).toBe(true)
  expect(failureIn(await api.json({ ...GET, path: '/65' }, never)).observed).toContain('64 levels')
})

test.for([
  ['another protocol', 'not-http', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['a torn head', 'reset', 'HTTP/1.1 200 OK\r\ncontent-ty'],
  ['a wrong chunk', 'not-http', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  ['endless headers', 'too-large', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`],
  ['one endless header', 'too-large', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`],
  ['a header with an endless name', 'too-large', `HTTP/1.1 200 OK\r\n${'x'.repeat(1_000_000)}: y\r\n\r\n`],
  ['headers one byte too long', 'too-large', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(16 * 1024 - 1)}\r\n\r\n`],
  ['endless trailers', 'too-large', `${CHUNKED}2\r\n{}\r\n0\r\n${'x: y\r\n'.repeat(10_000)}`],
  ['a chunk without a number', 'not-http', `${CHUNKED}\r\n{}\r\n0\r\n\r\n`],
  ['a chunk of more than all bytes', 'not-http', `${CHUNKED}${'f'.repeat(17)}\r\n{}`],
  ['two lengths', 'cut', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
  ['a length beside chunks', 'not-http', `${CHUNKED.trimEnd()}\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
  ['a length that is too long', 'cut', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{}'],
  ['a length that is none', 'not-http', 'HTTP/1.1 200 OK\r\ncontent-length: -2\r\n\r\n{}'],
  ['a switch of protocols', 'reset', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
] as const)('a peer that speaks %s is %s', async ([, kind, bytes]) => {
  const server = await keep(serveTcp((socket) => void socket.once('data', () => socket.end(bytes))))
  expect(failureIn(await open(server.url).json(GET, never)).kind).toBe(kind)
})

test('TLS where there is none, and nobody there at all', async () => {
  const server = await keep(serve((_, response) => replyJson(response, {})))
  expect(failureIn(await open(server.url.replace('http:', 'https:')).json(GET, never)).kind).toBe('tls')
  expect(failureIn(await open('http://127.0.0.1:1').json(GET, never)).kind).toBe('refused')
  expect(failureIn(await open('http://no-such-host.invalid').json(GET, never)).kind).toBe('dns')
})

test('an API key that no header can carry is refused at once', () => {
  const made = openApi({ name: 'target qwen', url: 'http://127.0.0.1', apiKey: 'abc\n', dial: null, log: silent })
  expect(failureIn(made)).toMatchObject({ kind: 'config', thing: 'API key of target qwen' })
})

test('close ends what runs', async () => {
  const asked = Promise.withResolvers<void>()
  const server = await keep(serve(() => asked.resolve()))
  const api = open(server.url)
  const running = api.json(GET, never)
  await asked.promise
  await api.close()
  expect((await running).ok).toBe(false)
})
