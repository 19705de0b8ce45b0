import type { ServerResponse } from 'node:http'

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** JSON, or a text as it is. */
export function send(response: ServerResponse, status: number, body: unknown): void {
  if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body)
  else sendJson(response, status, body)
}
