import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { CHUNK } from './chunk.ts'

/*
 * A server in a process of its own. GET answers a small JSON; a chat request streams `max_tokens` chunks as fast as they
 * are taken, or at `temperature` chunks a second where that is given. Says its port on the first line of its output.
 */
const server = createServer((request, response) => {
  if (request.method === 'POST') return void chat(request, response)
  response.writeHead(200, { 'content-type': 'application/json' })
  return void response.end(JSON.stringify({ object: 'list', data: [{ id: 'demo', owned_by: 'sglang' }] }))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})

const BLOCK = 100
const EVENT = `data: ${JSON.stringify(CHUNK)}\n\n`

async function chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const piece of request) text += piece
  const { max_tokens, temperature } = JSON.parse(text)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (temperature === undefined) await stream(response, max_tokens)
  else paced(response, max_tokens, temperature)
}

async function stream(response: ServerResponse, events: number): Promise<void> {
  const block = EVENT.repeat(BLOCK)
  for (let left = events; left > 0; left -= BLOCK) {
    const text = left >= BLOCK ? block : EVENT.repeat(left)
    if (!response.write(text)) await new Promise((resolve) => response.once('drain', resolve))
  }
  response.end('data: [DONE]\n\n')
}

const TICK_MS = 5

/** By the clock, since timers are late on a busy machine. */
function paced(response: ServerResponse, events: number, rate: number): void {
  const began = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(events, Math.floor(((performance.now() - began) * rate) / 1000))
    if (due > sent) response.write(EVENT.repeat(due - sent))
    sent = due
    if (sent < events) return
    clearInterval(timer)
    response.end('data: [DONE]\n\n')
  }, TICK_MS)
}
