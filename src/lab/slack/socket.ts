import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import type { Fields } from './json.ts'
import { isFields, parse, textAt } from './json.ts'
import { PACE } from './limits.ts'

/** What became of an envelope; `ms` from sending to the acknowledgement or to giving up. */
export type Ack =
  | { readonly ok: true; readonly ms: number; readonly payload: Fields }
  | { readonly ok: false; readonly ms: number; readonly error: 'operation_timeout' | 'dispatch_failed' }

export type EnvelopeKind = 'slash_commands' | 'events_api' | 'interactive'

/** refresh_requested and warning ask the app to reconnect; drop breaks the connections without a word. */
export type DisconnectReason = 'refresh_requested' | 'warning' | 'link_disabled' | 'drop'

/** Slack's end of Socket Mode: every envelope goes to one of the open connections. */
export interface Socket {
  /** A one-use address; null where ten connections are open. */
  ticket(url: string): string | null
  upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): void
  /** Sends to one connection and waits for its acknowledgement, at most 3 s. */
  send(kind: EnvelopeKind, payload: Fields, acceptsResponse: boolean): Promise<Ack>
  connections(): number
  disconnect(reason: DisconnectReason): void
  close(): Promise<void>
}

interface Waiting {
  settle(payload: Fields | null): void
}

const PING_MS = 10_000
/** how long an app may take to say goodbye */
const CLOSE_MS = 500

/** `changed` is called when a connection opened, closed or acknowledged something. */
export function createSocket(app: string, changed: () => void): Socket {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 })
  const tickets = new Set<string>()
  const open: WebSocket[] = []
  const waiting = new Map<string, Waiting>()

  const leave = (connection: WebSocket) => {
    const index = open.indexOf(connection)
    if (index >= 0) open.splice(index, 1)
    changed()
  }
  const join = (connection: WebSocket) => {
    open.push(connection)
    connection.on('error', () => connection.terminate())
    connection.on('close', () => leave(connection))
    connection.on('message', (data) => {
      settle(waiting, String(data))
      changed()
    })
    const ping = setInterval(() => connection.ping(), PING_MS)
    connection.on('close', () => clearInterval(ping))
    connection.send(JSON.stringify(hello(app, open.length)))
    changed()
  }
  return {
    ticket(url) {
      if (open.length >= PACE.connections) return null
      const ticket = crypto.randomUUID()
      tickets.add(ticket)
      return `${url.replace('http', 'ws')}/socket?ticket=${ticket}`
    },
    upgrade(request, duplex, head) {
      const ticket = new URL(request.url ?? '/', 'http://stand-in').searchParams.get('ticket') ?? ''
      if (!tickets.delete(ticket)) {
        duplex.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
        return
      }
      server.handleUpgrade(request, duplex, head, join)
    },
    send(kind, payload, acceptsResponse) {
      const connection = open.shift()
      if (connection === undefined) return Promise.resolve({ ok: false, ms: 0, error: 'dispatch_failed' })
      open.push(connection)
      const envelope = {
        envelope_id: crypto.randomUUID(),
        type: kind,
        accepts_response_payload: acceptsResponse,
        payload,
      }
      return acknowledged(connection, envelope, waiting)
    },
    connections: () => open.length,
    disconnect(reason) {
      for (const connection of open.splice(0)) {
        if (reason === 'drop') connection.terminate()
        else connection.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'stand-in' } }))
      }
      changed()
    },
    close: () => close(server, waiting),
  }
}

async function close(server: WebSocketServer, waiting: ReadonlyMap<string, Waiting>): Promise<void> {
  for (const one of waiting.values()) one.settle(null)
  const closed = new Promise((resolve) => server.close(resolve))
  for (const connection of server.clients) connection.close(1001)
  const limit = setTimeout(() => {
    for (const connection of server.clients) connection.terminate()
  }, CLOSE_MS)
  await closed
  clearTimeout(limit)
}

function hello(app: string, connections: number) {
  return {
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: app },
    debug_info: { host: 'stand-in', build_number: 1, approximate_connection_time: 18_060 },
  }
}

function acknowledged(
  connection: WebSocket,
  envelope: Fields & { readonly envelope_id: string },
  waiting: Map<string, Waiting>,
): Promise<Ack> {
  const sent = performance.now()
  return new Promise((resolve) => {
    const settle = (payload: Fields | null) => {
      clearTimeout(limit)
      waiting.delete(envelope.envelope_id)
      const ms = performance.now() - sent
      resolve(payload === null ? { ok: false, ms, error: 'operation_timeout' } : { ok: true, ms, payload })
    }
    const limit = setTimeout(() => settle(null), PACE.ackMs)
    waiting.set(envelope.envelope_id, { settle })
    connection.send(JSON.stringify(envelope))
  })
}

function settle(waiting: Map<string, Waiting>, text: string) {
  const ack = parse(text, null)
  if (!isFields(ack)) return
  const payload = ack['payload']
  waiting.get(textAt(ack, 'envelope_id') ?? '')?.settle(isFields(payload) ? payload : {})
}
