import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import { buildConnector, Pool } from 'undici'

import { readJson } from '../domain/json.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Api, ApiRequest, Log, Reply, StreamEnd, StreamEvent } from '../domain/ports.ts'
import { errorOf } from './failure-error.ts'
import { eventReceiver } from './http-events.ts'
import { badKey, emptyBody, noJson, noStream, tooLarge } from './http-failure.ts'
import { send } from './http-send.ts'
import { checkUrl, guardedLookup } from './http-url.ts'

/** HTTP to one target, through `dial` where there is one. Redirects, foreign encodings and oversized bodies are refused. */
export function openApi(options: ApiOptions): Outcome<OpenApi> {
  const checked = checkUrl(options.name, options.url)
  if (!checked.ok) return failed(checked.failure)
  if (options.apiKey !== null && !/^[\x21-\x7e]+$/.test(options.apiKey)) return failed(badKey(options.name))
  const { origin, pathname } = checked.value
  const closing = new AbortController()
  const pool = new Pool(origin, {
    connect: options.dial === null ? direct(options.name) : through(options.dial, closing.signal),
    connections: CONNECTIONS,
    // below the 5 s after which uvicorn and llama.cpp close an idle connection, maybe under our next request
    keepAliveTimeout: 4_000,
    // the watch of each call is exact, undici's timers are not
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const way: Way = {
    pool,
    thing: `${options.name} (${origin})`,
    path: pathname.replace(/\/$/, ''),
    headers: options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` },
  }
  options.log.debug('HTTP way opened', { name: options.name, origin, tunnel: options.dial !== null })
  return ok({
    url: `${origin}${way.path}`,
    json: (request, signal) => json(way, request, signal),
    events: (request, onEvent, signal) => events(way, request, onEvent, signal),
    async close() {
      closing.abort()
      await pool.destroy()
    },
  })
}

export type OpenApi = Api & { close(): Promise<void> }

/** Opens a stream to an address as seen from elsewhere; aborting the signal closes it. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Outcome<Duplex>>

interface ApiOptions {
  /** `target qwen`, for failures */
  readonly name: string
  readonly url: string
  readonly apiKey: string | null
  readonly dial: Dial | null
  readonly log: Log
}

const CONNECTIONS = 32
const LARGEST_JSON = 4 * 1024 * 1024

interface Way {
  readonly pool: Pool
  readonly thing: string
  /** of the base URL, without a trailing slash */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

async function json(way: Way, request: ApiRequest, signal: AbortSignal): Promise<Outcome<Reply>> {
  let whole = ''
  let size = 0
  const received = await send(way.thing, requestOf(way, request, 'application/json'), request, signal, {
    refuse: () => null,
    take(text, bytes) {
      whole += text
      size += bytes
      return size > LARGEST_JSON ? tooLarge(way.thing, 'an answer', LARGEST_JSON) : null
    },
    progressed: () => true,
    text: () => whole,
    complete: () => false,
  })
  if (!received.ok) return failed<Reply>(received.failure, received.partial)
  if (whole.trim() === '') return failed<Reply>(emptyBody(way.thing, received.value.status), received.value)
  const read = readJson(whole)
  if (!read.ok) return failed<Reply>(noJson(way.thing, received.value, read.problem), received.value)
  return ok({ ...received.value, json: read.value })
}

async function events(
  way: Way,
  request: ApiRequest,
  onEvent: (event: StreamEvent) => boolean,
  signal: AbortSignal,
): Promise<Outcome<StreamEnd>> {
  const began = performance.now()
  const stream = eventReceiver(way.thing, (data) => onEvent({ data, atMs: performance.now() - began }))
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
  const headers = { accept, 'user-agent': 'pilotflame', ...type, ...way.headers }
  return (signal: AbortSignal) =>
    way.pool.request({ method: request.method, path: `${way.path}${request.path}`, headers, body, signal })
}

function direct(name: string): buildConnector.connector {
  return buildConnector({ allowH2: false, timeout: 10_000, lookup: guardedLookup(name) })
}

/** Connections through somebody else's stream; its failures reach the caller as they are. */
function through(dial: Dial, closing: AbortSignal): buildConnector.connector {
  const secure = buildConnector({ allowH2: false, timeout: 10_000 })
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
    void dial(options.hostname, port, closing).then((outcome) => {
      if (!outcome.ok) return callback(errorOf(outcome.failure), null)
      const stream = outcome.value
      if (!isSocketLike(stream))
        return callback(new TypeError('the dialled stream lacks the methods of a socket'), null)
      return options.protocol === 'https:'
        ? secure({ ...options, httpSocket: stream }, callback)
        : callback(null, stream)
    })
  }
}

/** undici asks for a Socket and uses a Duplex with these. */
function isSocketLike(stream: Duplex): stream is Socket {
  return ['setNoDelay', 'setKeepAlive', 'setTimeout', 'ref', 'unref'].every((method) => method in stream)
}
