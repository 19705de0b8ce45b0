import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

import type { Listening } from './http-server.ts'
import { listening } from './http-server.ts'

/** A real HTTP proxy on a free port: it forwards what has a whole URL, and tunnels what asks by CONNECT. */
export interface ProxyServer extends Listening {
  /** the first lines of what it was asked, in order */
  readonly asked: string[]
  /** the connections it was asked on */
  readonly connections: ReadonlySet<number | undefined>
}

/** What it does in place of its work. `null`: nothing at all. */
export type Instead = ((socket: Duplex) => void) | null

/** `names`: what only this proxy knows where to find. */
export async function proxyServer(
  names: Readonly<Record<string, number>> = {},
  instead?: Instead,
): Promise<ProxyServer> {
  const asked: string[] = []
  const connections = new Set<number | undefined>()
  const note = ({ method, url, socket }: IncomingMessage) => {
    asked.push(`${method} ${url}`)
    connections.add(socket.remotePort)
  }
  const server = createServer((incoming, response) => {
    note(incoming)
    if (instead === undefined) forward(incoming, response, names)
    else instead?.(incoming.socket)
  })
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    note(incoming)
    socket.on('error', () => undefined)
    if (instead === undefined) tunnel(incoming.url ?? '', socket, names)
    else instead?.(socket)
  })
  return { ...(await listening(server)), asked, connections }
}

function forward(incoming: IncomingMessage, response: ServerResponse, names: Readonly<Record<string, number>>): void {
  const { method, url = '', headers } = incoming
  const { hostname, port, pathname } = new URL(url)
  const there = { host: '127.0.0.1', port: names[hostname] ?? port, path: pathname, method, headers }
  const outgoing = request(there, (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.writeHead(502).end('no such server'))
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

function tunnel(authority: string, socket: Duplex, names: Readonly<Record<string, number>>): void {
  const { hostname, port } = new URL(`http://${authority}`)
  const upstream = connect(names[hostname] ?? Number(port), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    upstream.pipe(socket)
    socket.pipe(upstream)
  })
  upstream.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  socket.on('close', () => upstream.destroy())
}
