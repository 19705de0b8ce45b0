import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

import { expect, onTestFinished, test, vi } from 'vitest'

import { openApi } from '../../src/adapters/http.ts'
import type { Resolve } from '../../src/adapters/http-url.ts'
import { guardedLookup, guardedName } from '../../src/adapters/http-url.ts'
import type { Failure, FailureKind } from '../../src/domain/failure.ts'
import { failed } from '../../src/domain/outcome.ts'
import { askerInChild } from './http-child.ts'
import type { Instead } from './http-proxy-server.ts'
import { proxyServer } from './http-proxy-server.ts'
import { bodyOf, listening, replyJson, serve, serveTcp, silent } from './http-server.ts'
import { closeLater, failureIn, keep, never, open, valueIn } from './tidy.ts'

const GET = { method: 'GET', path: '/x', patienceMs: 2_000 } as const
const POST = { method: 'POST', path: '/x', patienceMs: 2_000, body: { a: 1 } } as const

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/tls', name), 'utf8')
const authority = fixture('authority.crt')

const tlsServer = () =>
  keep(
    listening(
      createServer({ key: fixture('server.key'), cert: fixture('signed.crt') }, (request, response) =>
        replyJson(response, { path: request.url, host: request.headers.host }),
      ),
    ),
  )

/** A name service that gives each name this one address; none where it knows nothing. */
const knowing =
  (address: string | null): Resolve =>
  (name, _options, callback) =>
    address === null
      ? callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), [])
      : callback(null, [{ address, family: 4 }])

test('http goes through the proxy with its whole URL, each request on a connection of its own', async () => {
  const server = await keep(
    serve((request, response) => {
      void bodyOf(request).then((body) => {
        const { host, authorization } = request.headers
        replyJson(response, { url: request.url, host, authorization, body })
      })
    }),
  )
  const proxy = await keep(proxyServer())
  const api = open(`${server.url}/base`, { proxy: proxy.url, apiKey: 'secret' })
  for (let round = 0; round < 3; round += 1) {
    expect(valueIn(await api.json(POST, never)).json).toEqual({
      url: '/base/x',
      host: `127.0.0.1:${server.port}`,
      authorization: 'Bearer secret',
      body: '{"a":1}',
    })
  }
  expect(proxy.asked).toEqual(Array.from({ length: 3 }, () => `POST ${server.url}/base/x`))
  expect(proxy.connections.size).toBe(3)
})

test('a stream comes through the proxy as it is written', async () => {
  const heard = Promise.withResolvers<void>()
  const server = await keep(
    serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: a\n\n')
      void heard.promise.then(() => response.end('data: [DONE]\n\n'))
    }),
  )
  const proxy = await keep(proxyServer())
  const onEvent = () => {
    heard.resolve()
    return true
  }
  const end = valueIn(await open(server.url, { proxy: proxy.url }).events(POST, onEvent, never))
  expect(end).toMatchObject({ done: true, events: 2 })
})

test('https goes through a tunnel of the proxy, which is kept and cannot be looked into', async () => {
  const server = await tlsServer()
  const proxy = await keep(proxyServer())
  const api = open(`https://127.0.0.1:${server.port}`, { proxy: proxy.url, ca: authority })
  for (let round = 0; round < 10; round += 1) {
    expect(valueIn(await api.json(GET, never)).json).toEqual({ path: '/x', host: `127.0.0.1:${server.port}` })
  }
  // a second one, where the first was not yet free again
  expect(proxy.asked.length).toBeLessThanOrEqual(2)
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT 127.0.0.1:${server.port}`]))
})

test('the certificate behind the proxy is checked', async () => {
  const server = await tlsServer()
  const proxy = await keep(proxyServer())
  const stranger = open(`https://127.0.0.1:${server.port}`, { proxy: proxy.url })
  expect(failureIn(await stranger.json(GET, never))).toMatchObject({
    kind: 'tls',
    thing: `target qwen (https://127.0.0.1:${server.port} through the proxy ${proxy.url})`,
    observed: expect.stringContaining('signed by an authority that is not known'),
  })
})

test('a name that only the proxy knows is left to it', async () => {
  const server = await tlsServer()
  const plain = await keep(serve((_, response) => replyJson(response, { fine: true })))
  const proxy = await keep(proxyServer({ 'gpu-box.example': plain.port, localhost: server.port }))
  const way = { proxy: proxy.url, resolve: knowing(null), ca: authority }
  expect(await open('http://gpu-box.example', way).json(GET, never)).toMatchObject({ ok: true })
  expect(await open('https://localhost', way).json(GET, never)).toMatchObject({ ok: true })
  expect(proxy.asked).toEqual(['GET http://gpu-box.example/x', 'CONNECT localhost:443'])
})

test('IPv6 is asked for in brackets', async () => {
  const proxy = await keep(proxyServer({ '[fd00::5]': 1 }))
  const api = open('https://[fd00::5]:8443', { proxy: proxy.url })
  expect(failureIn(await api.json(GET, never)).kind).toBe('proxy')
  expect(proxy.asked).toEqual(['CONNECT [fd00::5]:8443'])
})

test('no proxy is asked for what is never called', async () => {
  const proxy = await keep(proxyServer())
  const url = (scheme: string, host: string) => ({ name: 'target qwen', url: `${scheme}://${host}`, apiKey: null })
  for (const scheme of ['http', 'https']) {
    const way = { proxy: proxy.url, resolve: knowing('169.254.169.254') }
    expect(failureIn(await open(`${scheme}://gpu-box.example`, way).json(GET, never))).toMatchObject({
      kind: 'url',
      thing: 'URL of target qwen',
      observed: 'found gpu-box.example, which is the link-local address 169.254.169.254',
    })
    const literal = openApi({ ...url(scheme, '169.254.169.254'), dial: null, log: silent, proxy: proxy.url })
    expect(failureIn(literal).kind).toBe('url')
  }
  expect(proxy.asked).toEqual([])
})

test('a name that means nothing in time is the proxy’s to find', async () => {
  const mute: Resolve = () => undefined
  expect(await guardedName(guardedLookup('URL of target qwen', mute), 'gpu-box.example', 20)).toBeNull()
})

test('a stream of the host goes past the proxy', async () => {
  const why: Failure = { kind: 'ssh-auth', thing: 'host box', observed: 'refuses our key', next: 'add it' }
  const proxy = await keep(proxyServer())
  const api = open('http://127.0.0.1:30000', { dial: async () => failed(why), proxy: proxy.url })
  expect(failureIn(await api.json(GET, never))).toEqual(why)
  expect(proxy.asked).toEqual([])
})

const ends =
  (status: string): Instead =>
  (socket: Duplex) =>
    void socket.end(`HTTP/1.1 ${status}\r\n\r\n`)
const BANNER = 'SSH-2.0-OpenSSH_9.2\r\n'

const NOES: readonly (readonly [
  what: string,
  instead: Instead,
  http: FailureKind,
  https: FailureKind,
  says: RegExp,
])[] = [
  ['wants a password', ends('407 Proxy Authentication Required'), 'proxy', 'proxy', /asks for a user and password/],
  ['forbids it', ends('403 Forbidden'), 'http-status', 'proxy', /HTTP 403/],
  ['knows no CONNECT', ends('405 Method Not Allowed'), 'http-status', 'proxy', /HTTP 405/],
  ['does not reach it', ends('503 Service Unavailable'), 'http-status', 'proxy', /HTTP 503/],
  ['redirects', ends('302 Found\r\nlocation: http://login.example/'), 'redirect', 'proxy', /HTTP 302/],
  ['hangs', null, 'headers-timeout', 'connect-timeout', /no answer (?:within 0.4 s|to CONNECT \S+ within 0.2 s)/],
  ['hangs up', (socket) => void socket.destroy(), 'reset', 'reset', /closed the connection/],
  ['speaks no HTTP', (socket) => void socket.end(BANNER), 'not-http', 'not-http', /speaks no proper HTTP/],
]

test.for(NOES)('a proxy that %s is named', async ([, instead, http, https, says]) => {
  const proxy = await keep(proxyServer({}, instead))
  for (const [scheme, kind] of [['http', http] as const, ['https', https] as const]) {
    const api = open(`${scheme}://10.0.0.5:8000`, { proxy: proxy.url, connectMs: 200 })
    const failure = failureIn(await api.json({ ...GET, patienceMs: 400 }, never))
    expect(failure).toMatchObject({ kind, observed: expect.stringMatching(says) })
    expect(failure.thing).toContain(proxy.url)
    expect(failure.thing).toContain('target qwen')
  }
})

test.for(NOES)('a proxy that %s: what to do names it and its setting', async ([, instead]) => {
  const proxy = await keep(proxyServer({}, instead))
  for (const scheme of ['http', 'https']) {
    const api = open(`${scheme}://10.0.0.5:8000`, { proxy: proxy.url, connectMs: 200 })
    const { thing, observed, next } = failureIn(await api.json({ ...GET, patienceMs: 400 }, never))
    // `doctor` leaves out what stands after the name of the target
    expect(`${thing.replace(/^target qwen \(.*\)$/, '')} ${observed} ${next}`).toContain(proxy.url)
    expect(next).toMatch(
      /proxy (?:at|off) the target in pilotflame\.yml|accept this machine|the proxy hangs|behind it is up/,
    )
  }
})

test('a proxy that speaks no HTTP is told as that, and no server is blamed', async () => {
  const proxy = await keep(proxyServer({}, (socket) => void socket.end(BANNER)))
  const { observed, next } = failureIn(await open('http://10.0.0.5:8000', { proxy: proxy.url }).json(GET, never))
  expect(observed).toContain(`what answers at the proxy ${proxy.url} speaks no proper HTTP`)
  expect(next).toBe(
    'see whether the proxy runs and what its log says, or correct proxy at the target in pilotflame.yml',
  )
})

test('no proxy is blamed where none reads the requests', async () => {
  const server = await keep(serve((_, response) => void response.writeHead(404).end('nothing here')))
  const strange = await keep(serveTcp((socket) => void socket.end(BANNER)))
  for (const { url } of [server, strange])
    expect(failureIn(await open(url).json(GET, never)).next).not.toContain('proxy')
})

test('a proxy that is not there is named, and its setting', async () => {
  const gone = await serveTcp(() => undefined)
  await gone.close()
  const tries = [
    [gone.url, 'refused', 'connection refused'],
    ['http://no-such-proxy.invalid:3128', 'dns', 'does not resolve'],
  ] as const
  for (const [proxy, kind, observed] of tries) {
    for (const scheme of ['http', 'https']) {
      expect(failureIn(await open(`${scheme}://10.0.0.5:8000`, { proxy }).json(GET, never))).toMatchObject({
        kind,
        thing: `proxy ${proxy} of target qwen`,
        observed: expect.stringContaining(observed),
        next: expect.stringContaining('correct proxy at the target in pilotflame.yml'),
      })
    }
  }
})

test('a proxy whose name means a forbidden address is not asked', async () => {
  const resolve: Resolve = (name, options, callback) =>
    knowing(name === 'proxy.example' ? '169.254.169.254' : '10.0.0.5')(name, options, callback)
  for (const scheme of ['http', 'https']) {
    const api = open(`${scheme}://gpu-box.example`, { proxy: 'http://proxy.example:3128', resolve })
    expect(failureIn(await api.json(GET, never))).toMatchObject({
      kind: 'url',
      thing: 'proxy http://proxy.example:3128 of target qwen',
    })
  }
})

test.for([
  ['proxy.example:3128', 'no URL of a proxy'],
  ['https://proxy.example', 'spoken to by TLS'],
  ['http://me:secret@proxy.example', 'a user or password'],
  ['http://169.254.169.254', 'link-local address'],
] as const)('the proxy %s is refused at once', ([proxy, observed]) => {
  const made = openApi({ name: 'target qwen', url: 'http://10.0.0.5', apiKey: null, dial: null, log: silent, proxy })
  const failure = failureIn(made)
  expect(failure).toMatchObject({
    kind: 'url',
    thing: 'proxy of target qwen',
    observed: expect.stringContaining(observed),
  })
  expect(JSON.stringify(failure)).not.toContain('secret')
})

test('the environment’s proxies are never asked, nor do its exceptions count', async () => {
  const server = await keep(serve((_, response) => replyJson(response, { fine: true })))
  const proxy = await keep(proxyServer())
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
  const env = { ...Object.fromEntries(names.map((name) => [name, proxy.url])), NODE_USE_ENV_PROXY: '1' }
  const asker = await askerInChild(server.url, { ...env, NO_PROXY: '', no_proxy: '' })
  closeLater(asker)
  expect(await asker.ask('json', server.url)).toMatchObject({ kind: 'ok' })
  expect(await asker.ask('json', 'https://127.0.0.1:1')).toMatchObject({ kind: 'refused' })
  expect(proxy.asked).toEqual([])
  // Node's own client heeds them, so they are really set
  await asker.ask('fetch', `${server.url}/control`)
  expect(proxy.asked).not.toEqual([])
  vi.stubEnv('NO_PROXY', '*')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await open(server.url, { proxy: proxy.url }).json(GET, never)).ok).toBe(true)
  expect(proxy.asked).toContain(`GET ${server.url}/x`)
})

test('407 is a proxy’s word also where none was set', async () => {
  const server = await keep(serve((_, response) => void response.writeHead(407).end()))
  expect(failureIn(await open(server.url).json(GET, never))).toMatchObject({
    kind: 'proxy',
    observed: expect.stringContaining('a proxy on the way'),
  })
})

test('stop and close end what a proxy lets wait', async () => {
  const asked = Promise.withResolvers<void>()
  const proxy = await keep(proxyServer({}, () => asked.resolve()))
  const stop = new AbortController()
  const api = open('https://10.0.0.5:8000', { proxy: proxy.url })
  const running = api.json(GET, stop.signal)
  await asked.promise
  stop.abort()
  expect(failureIn(await running).kind).toBe('stopped')
  await api.close()
})
