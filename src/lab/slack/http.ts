import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fields } from './json.ts'
import { isFields, parse } from './json.ts'

/** Reads a body whole; null where it is larger than `max` bytes or breaks off. */
export async function readBody(request: IncomingMessage, max: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) return null
      size += chunk.length
      if (size > max) return null
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  return Buffer.concat(chunks)
}

/** The arguments of a call: JSON, form and query. */
export function readArguments(request: IncomingMessage, body: Buffer): Fields {
  const query = Object.fromEntries(new URL(request.url ?? '/', 'http://stand-in').searchParams)
  const text = body.toString('utf8')
  if (!(request.headers['content-type'] ?? '').includes('json')) {
    return { ...query, ...Object.fromEntries(new URLSearchParams(text)) }
  }
  const json = parse(text, null)
  return isFields(json) ? { ...query, ...json } : query
}

export function sendJson(response: ServerResponse, status: number, body: Fields, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

/** Whether a request names this server. A web page that points its own name at 127.0.0.1 sends another Host. */
export function isForUs(request: IncomingMessage, port: number): boolean {
  // clients leave out the port where it is the usual one
  const usual = port === 80 ? ['127.0.0.1', 'localhost'] : []
  return [`127.0.0.1:${port}`, `localhost:${port}`, ...usual].includes(request.headers.host ?? '')
}

/** Whether a request comes from our own page or from no page at all: another web page must not act here. */
export function isFromUs(request: IncomingMessage): boolean {
  const { host, origin } = request.headers
  const site = request.headers['sec-fetch-site']
  return (
    (origin === undefined || origin === `http://${host}`) &&
    (site === undefined || site === 'same-origin' || site === 'none')
  )
}
