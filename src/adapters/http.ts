import { Pool } from 'undici'

import { readJson } from '../domain/json.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Api, ApiRequest, Log, Reply, StreamEnd, StreamEvent, TextReply } from '../domain/ports.ts'
import { eventReceiver } from './http-events.ts'
import { badKey, emptyBody, noJson, noStream, tooLarge } from './http-failure.ts'
import { throughProxy } from './http-proxy-failure.ts'
import type { Route, RouteOptions } from './http-route.ts'
import { LARGEST_HEAD, routeTo } from './http-route.ts'
import { send } from './http-send.ts'
import { checkUrl } from './http-url.ts'

/**
 * HTTP to one target: straight, through `dial` where there is one, or through the proxy that is named. Redirects, foreign
 * encodings and oversized bodies are refused.
 */
export function openApi(options: ApiOptions): Outcome<OpenApi> {
  const checked = checkUrl(options.name, options.url)
  if (!checked.ok) return failed(checked.failure)
  if (options.apiKey !== null && !/^[\x21-\x7e]+$/.test(options.apiKey)) return failed(badKey(options.name))
  const closing = new AbortController()
  const route = routeTo(checked.value, options, closing.signal)
  if (!route.ok) return failed(route.failure)
  const way = wayOf(checked.value, route.value, options)
  const { name, dial, log } = options
  log.debug('HTTP way opened', { name, origin: checked.value.origin, tunnel: dial !== null, via: route.value.via })
  const { reader } = route.value
  return ok({
    url: way.url,
    json: async (request, signal) => toldThrough(reader, await json(way, request, signal)),
    text: async (request, signal) => toldThrough(reader, await whole(way, request, 'text/plain, */*', signal)),
    events: async (request, onEvent, signal) => toldThrough(reader, await events(way, request, onEvent, signal)),
    async close() {
      closing.abort()
      await way.pool.destroy()
    },
  })
}

export type OpenApi = Api & { close(): Promise<void> }

type ApiOptions = RouteOptions & {
  readonly url: string
  readonly apiKey: string | null
  readonly log: Log
}

const CONNECTIONS = 32
const LARGEST_WHOLE = 4 * 1024 * 1024

interface Way {
  readonly pool: Pool
  readonly thing: string
  /** the base URL, without a trailing slash */
  readonly url: string
  /** what stands before the path of each request */
  readonly before: string
  readonly headers: Readonly<Record<string, string>>
}

function wayOf({ origin, pathname }: URL, { connect, via, prefix, kept }: Route, { name, apiKey }: ApiOptions): Way {
  const path = pathname.replace(/\/$/, '')
  const pool = new Pool(origin, {
    connect,
    connections: CONNECTIONS,
    pipelining: kept ? 1 : 0,
    // below the 5 s after which uvicorn and llama.cpp close an idle connection, maybe under our next request
    keepAliveTimeout: 4_000,
    maxHeaderSize: LARGEST_HEAD,
    // the watch of each call is exact, undici's timers are not
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    pool,
    thing: `${name} (${origin}${via})`,
    url: `${origin}${path}`,
    before: `${prefix}${path}`,
    headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
  }
}

/** A proxy that reads the requests may be who answered. */
function toldThrough<T>(proxy: string | null, outcome: Outcome<T>): Outcome<T> {
  return outcome.ok || proxy === null ? outcome : failed(throughProxy(outcome.failure, proxy), outcome.partial)
}

async function json(way: Way, request: ApiRequest, signal: AbortSignal): Promise<Outcome<Reply>> {
  const received = await whole(way, request, 'application/json', signal)
  if (!received.ok) return failed<Reply>(received.failure, received.partial)
  const { status, text } = received.value
  if (text.trim() === '') return failed<Reply>(emptyBody(way.thing, status), received.value)
  const read = readJson(text)
  if (!read.ok) return failed<Reply>(noJson(way.thing, received.value, read.problem), received.value)
  return ok({ ...received.value, json: read.value })
}

/** An answer in one piece, whatever it is. */
function whole(way: Way, request: ApiRequest, accept: string, signal: AbortSignal): Promise<Outcome<TextReply>> {
  let body = ''
  let size = 0
  return send(way.thing, requestOf(way, request, accept), request, signal, {
    refuse: () => null,
    take(text, bytes) {
      body += text
      size += bytes
      return size > LARGEST_WHOLE ? tooLarge(way.thing, 'an answer', LARGEST_WHOLE) : null
    },
    progressed: () => true,
    text: () => body,
    complete: () => false,
  })
}

async function events(
  way: Way,
  request: ApiRequest,
  onEvent: (event: StreamEvent) => boolean,
  signal: AbortSignal,
): Promise<Outcome<StreamEnd>> {
  const began = performance.now()
  const hand = (data: string) => onEvent({ data, atMs: performance.now() - began })
  const stream = eventReceiver(way.thing, hand, request.most)
  const received = await send(way.thing, requestOf(way, request, 'text/event-stream'), request, signal, stream)
  if (!received.ok)
    return failed(received.failure, { ...received.partial, done: stream.complete(), events: stream.count() })
  stream.end()
  const end = { ...received.value, done: stream.complete(), events: stream.count() }
  if (end.text.trim() === '') return failed(emptyBody(way.thing, end.status), end)
  return end.events === 0 ? failed(noStream(way.thing, end.status, 'no events', end.text), end) : ok(end)
}

function requestOf(way: Way, request: ApiRequest, accept: string) {
  const body = request.body === undefined ? null : JSON.stringify(request.body)
  const type = body === null ? {} : { 'content-type': 'application/json' }
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'pilotflame', ...type, ...way.headers }
  const path = `${way.before}${request.path}`
  return (signal: AbortSignal) => way.pool.request({ method: request.method, path, headers, body, signal })
}
