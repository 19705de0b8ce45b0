import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'

import type { Log } from '../../src/domain/ports.ts'

export interface Listening {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** A real HTTP server on a free port of 127.0.0.1. */
export function serve(listener: RequestListener): Promise<Listening> {
  return listening(createServer(listener))
}

/** A raw TCP server on a free port: what it does with a socket is up to the test. */
export function serveTcp(behave: (socket: Socket) => void): Promise<Listening> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    behave(socket)
  })
  return listening(server)
}

/** Listens on a free port; closing cuts what is still open. */
export async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = isAddress(address) ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}

/** Answers with a status, a content type and a body. */
export function reply(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type })
  response.end(body)
}

export function replyJson(response: ServerResponse, body: unknown, status = 200): void {
  reply(response, status, 'application/json', JSON.stringify(body))
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
