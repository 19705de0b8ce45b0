import { expect, test } from 'vitest'

import { sshPool } from '../../src/adapters/ssh.ts'
import type { Failure } from '../../src/domain/failure.ts'
import { failed } from '../../src/domain/outcome.ts'
import { replyJson, serve, silent } from './http-server.ts'
import { hostAt, sshd } from './ssh-server.ts'
import { closeLater, failureIn, keep, never, open } from './tidy.ts'

const GET = { method: 'GET', path: '/x', patienceMs: 2_000 } as const
const POST = { method: 'POST', path: '/x', patienceMs: 2_000, body: { a: 1 } } as const

test('requests go through the SSH host, kept alive, and abort frees the server', async () => {
  const ports = new Set<number | undefined>()
  const server = await keep(
    serve((request, response) => {
      ports.add(request.socket.remotePort)
      if (request.url === '/x') return replyJson(response, { ok: true })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: a\n\n')
      return undefined
    }),
  )
  const box = await keep(sshd())
  const ssh = sshPool([hostAt({ port: box.port })], { clock: { now: () => 0, monotonic: () => 0 }, log: silent })
  closeLater(ssh)
  const api = open(server.url, { dial: (address, port, signal) => ssh.dial('box', address, port, signal) })
  for (let round = 0; round < 10; round += 1) expect((await api.json(GET, never)).ok).toBe(true)
  expect(ports.size).toBeLessThanOrEqual(2)
  const stop = new AbortController()
  const began = Promise.withResolvers<void>()
  const onEvent = () => {
    began.resolve()
    return true
  }
  const running = api.events({ ...POST, path: '/stream' }, onEvent, stop.signal)
  await began.promise
  stop.abort()
  expect(failureIn(await running).kind).toBe('stopped')
})

test('why the host could not be reached arrives unchanged', async () => {
  const why: Failure = { kind: 'ssh-auth', thing: 'host box', observed: 'refuses our key', next: 'add it' }
  const api = open('http://127.0.0.1:30000', { dial: async () => failed(why) })
  expect(failureIn(await api.json(GET, never))).toEqual(why)
})

test('why the connection broke arrives unchanged', async () => {
  const started = Promise.withResolvers<void>()
  const server = await keep(
    serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: a\n\n')
      started.resolve()
    }),
  )
  const box = await keep(sshd())
  const ssh = sshPool([hostAt({ port: box.port })], { clock: { now: () => 0, monotonic: () => 0 }, log: silent })
  closeLater(ssh)
  const api = open(server.url, { dial: (address, port, signal) => ssh.dial('box', address, port, signal) })
  const heard = Promise.withResolvers<void>()
  const onEvent = () => {
    heard.resolve()
    return true
  }
  const running = api.events(POST, onEvent, never)
  await Promise.all([started.promise, heard.promise])
  box.connections[0]?.end()
  expect(failureIn(await running)).toMatchObject({ kind: 'lost', thing: expect.stringContaining('host box') })
})

test.each([
  ['169.254.169.254', 0, 'url'],
  ['10.0.0.5', 1, 'refused'],
  [null, 1, 'refused'],
] as const)('a name that means %s here is dialled behind the host %i times', async (address, times, kind) => {
  let dialled = 0
  const api = open('http://gpu-box.example', {
    resolve: (_name, _options, callback) =>
      address === null
        ? callback(Object.assign(new Error('nobody knows it'), { code: 'ENOTFOUND' }), [])
        : callback(null, [{ address, family: 4 }]),
    dial: async () => {
      dialled += 1
      return failed({ kind: 'refused', thing: 'host box', observed: 'connection refused', next: 'start it' })
    },
  })
  expect(failureIn(await api.json(GET, never)).kind).toBe(kind)
  expect(dialled).toBe(times)
})
