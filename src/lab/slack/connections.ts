import type { IncomingMessage } from 'node:http'
import { Socket as TcpSocket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import type { DisconnectReason, SocketFaults } from './faults.ts'
import { PACE } from './limits.ts'

/** The WebSockets of an app: from their address to their end. */
export interface Connections {
  /** A one-use address; null where ten connections are open. */
  ticket(url: string): string | null
  upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): void
  /** The connection whose turn it is; null where none is open. */
  next(): { send(text: string): void } | null
  /** how many get envelopes */
  connections(): number
  /** Ends one connection, 0 being the oldest, or all. */
  disconnect(reason: DisconnectReason, which?: number): void
  /** From now on Slack counts so many connections more than there are. */
  strangers(count: number): void
  /** While it is dead every connection is reset, old ones and new ones. */
  dead(is: boolean): void
  close(): Promise<void>
}

interface Connection {
  readonly socket: WebSocket
  readonly tcp: Duplex
}

const PING_MS = 10_000
/** how long an app may take to say goodbye */
const CLOSE_MS = 500

export function createConnections(
  app: string,
  faults: SocketFaults,
  changed: () => void,
  onText: (text: string) => void,
): Connections {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024 })
  const tickets = new Set<string>()
  const { open, all, enter, leave } = createLines(changed)
  let strangers = 0
  let isDead = false

  const greet = (connection: Connection) => {
    const { socket } = connection
    // the app may have gone while it waited
    if (socket.readyState !== socket.OPEN) return
    open.push(connection)
    socket.send(JSON.stringify(hello(app, server.clients.size + strangers)))
    changed()
  }
  const join = (connection: Connection) => {
    keepUp(connection.socket)
    enter(connection)
    connection.socket.on('message', (data) => onText(String(data)))
    const late = faults.take('late-hello')
    if (late === null) greet(connection)
    else setTimeout(() => greet(connection), late.ms)
  }
  return {
    ticket(url) {
      if (open.length >= PACE.connections) return null
      const ticket = crypto.randomUUID()
      tickets.add(ticket)
      return `${url.replace('http', 'ws')}/socket?ticket=${ticket}`
    },
    upgrade(request, duplex, head) {
      if (isDead) return reset(duplex)
      const ticket = new URL(request.url ?? '/', 'http://stand-in').searchParams.get('ticket') ?? ''
      if (tickets.delete(ticket)) server.handleUpgrade(request, duplex, head, (socket) => join({ socket, tcp: duplex }))
      else duplex.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
    },
    next() {
      const connection = open.shift()
      if (connection === undefined) return null
      open.push(connection)
      return { send: (text) => connection.socket.send(text) }
    },
    connections: () => open.length,
    disconnect(reason, which) {
      const byTurn = byAge(open, server)
      for (const connection of which === undefined ? byTurn : byTurn.slice(which, which + 1)) {
        leave(connection)
        end(connection, reason)
      }
    },
    strangers(count) {
      strangers = count
    },
    dead(is) {
      isDead = is
      for (const connection of is ? all : []) {
        leave(connection)
        reset(connection.tcp)
      }
    },
    close: () => close(server),
  }
}

/** Those that get envelopes, in turn, and all that there are: not greeted yet, or getting nothing any more. */
function createLines(changed: () => void) {
  const open: Connection[] = []
  const all = new Set<Connection>()
  const leave = (connection: Connection) => {
    const index = open.indexOf(connection)
    if (index >= 0) open.splice(index, 1)
    changed()
  }
  const enter = (connection: Connection) => {
    all.add(connection)
    connection.socket.on('close', () => {
      all.delete(connection)
      leave(connection)
    })
  }
  return { open, all, enter, leave }
}

function reset(tcp: Duplex) {
  if (tcp instanceof TcpSocket) tcp.resetAndDestroy()
  else tcp.destroy()
}

/** Pings until it is closed. */
function keepUp(socket: WebSocket) {
  const ping = setInterval(() => socket.ping(), PING_MS)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => clearInterval(ping))
}

/** Envelopes go round; the server knows in which order the connections came. */
function byAge(open: readonly Connection[], { clients }: WebSocketServer): readonly Connection[] {
  const order = [...clients]
  return open.toSorted((one, other) => order.indexOf(one.socket) - order.indexOf(other.socket))
}

function end({ socket, tcp }: Connection, reason: DisconnectReason) {
  const say = (why: string) =>
    socket.send(JSON.stringify({ type: 'disconnect', reason: why, debug_info: { host: 'stand-in' } }))
  switch (reason) {
    case 'drop':
      socket.terminate()
      return
    case 'reset':
      reset(tcp)
      return
    case 'half-open':
      say('refresh_requested')
      socket.pause()
      return
    case 'silent':
      socket.pause()
      return
    case 'warning':
    case 'refresh_requested':
    case 'too_many_websockets':
    case 'link_disabled':
      say(reason)
  }
}

async function close(server: WebSocketServer): Promise<void> {
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
