import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'
import type { ChatRequest } from './model-server/chat-request.ts'
import { readChatRequest } from './model-server/chat-request.ts'
import { flatError, roughTokens } from './model-server/dialect.ts'
import { serverFacts } from './model-server/facts.ts'
import { sendJson } from './model-server/send-json.ts'
import { speak } from './model-server/speak.ts'
import type { Story } from './story.ts'

/** A model server on 127.0.0.1 in SGLang's dialect that plays a story in real time. */
export interface ModelServer {
  /** base URL without a trailing slash */
  readonly url: string
  readonly port: number
  /** the last hundred requests, oldest first */
  requests(): readonly SeenRequest[]
  /** answers that are being made right now */
  busy(): number
  setStory(story: Story): void
  close(): Promise<void>
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

export interface ModelServerOptions {
  readonly story: Story
  /** 0 or absent: a free one */
  readonly port?: number
  readonly model?: string
  /** SGLang's; decides on null or '' for an empty text, and more */
  readonly version?: string
  /** absent: as fast as it goes */
  readonly tokensPerSecond?: number
}

const CONTEXT = 32_768

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const settings: Settings = {
    story: options.story,
    model: options.model ?? 'Qwen3.6-27B',
    version: options.version ?? '0.5.18',
    tokensPerSecond: options.tokensPerSecond ?? Number.POSITIVE_INFINITY,
    context: CONTEXT,
  }
  const seen: SeenRequest[] = []
  let busy = 0
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = await readRequest(request)
    seen.push(asked)
    if (seen.length > 100) seen.shift()
    await answer(asked, response, settings)
  }
  const server = createServer((request, response) => {
    busy += 1
    response.on('close', () => {
      busy -= 1
    })
    serve(request, response).catch(() => response.destroy())
  })
  const port = await listen(server, options.port ?? 0)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: () => [...seen],
    busy: () => busy,
    setStory(story) {
      settings.story = story
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

interface Settings {
  story: Story
  readonly model: string
  readonly version: string
  readonly tokensPerSecond: number
  readonly context: number
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const path = new URL(request.url ?? '/', 'http://lab').pathname
  return { method: request.method ?? 'GET', path, body: await text(request) }
}

async function answer(asked: SeenRequest, response: ServerResponse, settings: Settings): Promise<void> {
  response.setHeader('server', 'uvicorn')
  if (asked.path === '/v1/chat/completions') return chat(asked, response, settings)
  if (asked.path === '/health' || asked.path === '/health_generate') {
    response.writeHead(settings.story.health).end()
    return
  }
  const fact = serverFacts(settings).get(asked.path)
  if (fact === undefined) sendJson(response, 404, { detail: 'Not Found' })
  else sendJson(response, 200, fact)
}

async function chat(asked: SeenRequest, response: ServerResponse, settings: Settings): Promise<void> {
  const request = readChatRequest(asked.body, settings.context)
  const problem = typeof request === 'string' ? request : tooLong(request, settings.context)
  if (typeof request === 'string' || problem !== null) {
    sendJson(response, 400, flatError(400, 'BadRequestError', problem ?? ''))
    return
  }
  const act = settings.story.play(request)
  if (act.act === 'refuse') {
    sendJson(response, act.status, act.body)
    return
  }
  const words = {
    id: randomUUID().replaceAll('-', ''),
    model: request.model,
    version: settings.version,
    created: Math.floor(Date.now() / 1000),
  }
  await speak(response, request, act, words, settings.tokensPerSecond)
}

function tooLong(request: ChatRequest, context: number): string | null {
  const wanted = roughTokens(request) + request.budget
  if (wanted <= context) return null
  return `Requested token count exceeds the model's maximum context length of ${context} tokens. You requested a total of ${wanted} tokens.`
}
