import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import type { Piece } from '../../src/domain/completion.ts'
import { listen } from '../../src/lab/listen.ts'
import type { Dialect, Ended } from '../../src/lab/model-server/dialect.ts'
import { send, sendJson } from '../../src/lab/model-server/send-json.ts'

/** What goes wrong in it: the stream just ends, or an error or an abort comes in its middle; or a fact never comes. */
export type Fault = 'no-done' | 'error' | 'abort' | 'silent-facts'

/**
 * A front that words a real llama-server as another engine would (testbed.md 8). Tokens, counts, pace, stalls and aborts
 * stay real, only shapes change.
 */
export async function startFront(upstream: string, dialect: Dialect, fault: Fault | null = null) {
  const server = createServer((request, response) => {
    answer({ upstream, dialect, fault }, request, response).catch(() => response.destroy())
  })
  const url = `http://127.0.0.1:${await listen(server, 0)}`
  return {
    url,
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

interface Front {
  readonly upstream: string
  readonly dialect: Dialect
  readonly fault: Fault | null
}

async function answer(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { upstream, dialect, fault } = front
  const path = new URL(request.url ?? '/', upstream).pathname
  if (path === '/v1/chat/completions') return chat(front, await json(request), response)
  if (dialect.health.includes(path)) return void response.writeHead((await fetch(`${upstream}/health`)).status).end()
  if (fault === 'silent-facts' && path !== '/v1/models') return
  const slots = await (await fetch(`${upstream}/slots`)).text()
  const running = slots.split('"is_processing":true').length - 1
  const fact = dialect.facts({ model: 'demo', context: 8192, running, waiting: 0, tokensPerSecond: 0 }).get(path)
  if (fact === undefined) send(response, 404, dialect.noRoute)
  else send(response, 200, fact)
}

/** Upstream it is always a stream with its usage. Who leaves here, leaves there. */
async function chat(front: Front, asked: unknown, response: ServerResponse): Promise<void> {
  const { upstream, dialect } = front
  const request = chatRequest.parse(asked)
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const told = await fetch(`${upstream}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ ...request, stream: true, stream_options: { include_usage: true } }),
    signal: gone.signal,
  })
  if (!told.ok || told.body === null) {
    const { error } = refusal.parse(await told.json())
    return send(response, told.status, dialect.refusal(told.status, error.type, error.message))
  }
  const head = { id: dialect.newId(), model: request.model ?? 'demo', created: 1_780_000_000 }
  const tell = request.stream ? teller(response) : () => {}
  for (const opening of dialect.opening(head)) tell(opening)
  const said = { reasoning: '', content: '' }
  let ended = NOT_ENDED
  for await (const one of chunksOf(told.body)) {
    ended = endedBy(ended, one)
    for (const piece of piecesIn(one)) {
      said[piece.channel] += piece.text
      tell(dialect.piece(head, piece))
    }
    if (isBreaking(front) && said.reasoning.length > 20) return interrupted(front, response, tell)
  }
  if (!request.stream) return sendJson(response, 200, dialect.whole(head, { ...said, calls: [] }, ended))
  tell(dialect.ending(head, ended))
  tell(dialect.usage(head, ended))
  response.end('data: [DONE]\n\n')
}

function isBreaking({ fault }: Front): boolean {
  return fault !== null && fault !== 'silent-facts'
}

type Tell = (chunk: unknown) => void

function teller(response: ServerResponse): Tell {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return (chunk) => void response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}

function interrupted({ dialect, fault }: Front, response: ServerResponse, tell: Tell): void {
  if (fault === 'no-done') return void response.end()
  if (fault === 'error') tell(dialect.errorEvent('The request was aborted: out of memory'))
  if (fault === 'abort') tell({ choices: [{ index: 0, delta: {}, finish_reason: 'abort', matched_stop: null }] })
  response.end('data: [DONE]\n\n')
}

const IM_END = 248_046

const NOT_ENDED: Ended = { finish: 'stop', stop: IM_END, promptTokens: 0, completionTokens: 0, reasoningTokens: 0 }

type Chunk = z.infer<typeof chunk>

/** How an answer stands with one more chunk; of our models each piece of reasoning is a token. */
function endedBy(ended: Ended, { choices, usage }: Chunk): Ended {
  const [choice] = choices
  return {
    ...ended,
    ...(choice?.finish_reason === 'length' ? ({ finish: 'length', stop: null } as const) : {}),
    ...(usage ? { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens } : {}),
    reasoningTokens: ended.reasoningTokens + (choice?.delta.reasoning_content ? 1 : 0),
  }
}

function piecesIn({ choices }: Chunk): readonly Piece[] {
  const { reasoning_content: reasoning, content } = choices[0]?.delta ?? {}
  return [
    ...(reasoning ? [{ channel: 'reasoning', text: reasoning } as const] : []),
    ...(content ? [{ channel: 'content', text: content } as const] : []),
  ]
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk> {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      if (event !== 'data: [DONE]') yield chunk.parse(JSON.parse(event.replace('data: ', '')))
    }
  }
}

const chatRequest = z.looseObject({ stream: z.boolean(), model: z.string().optional() })

const refusal = z.object({ error: z.object({ type: z.string(), message: z.string() }) })

const chunk = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ reasoning_content: z.string().nullish(), content: z.string().nullish() }),
      finish_reason: z.string().nullable(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }).nullish(),
})
