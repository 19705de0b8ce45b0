import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'
import type { ChatRequest } from './model-server/chat-request.ts'
import { readChatRequest } from './model-server/chat-request.ts'
import type { Dialect, DialectOf } from './model-server/dialect.ts'
import { roughTokens } from './model-server/dialect.ts'
import { ollama } from './model-server/ollama.ts'
import { send } from './model-server/send-json.ts'
import { sglang } from './model-server/sglang.ts'
import { speak } from './model-server/speak.ts'
import { vllm } from './model-server/vllm.ts'
import type { Story } from './story.ts'

/** A model server on 127.0.0.1 that speaks like one of these engines and plays a story in real time. */
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
  /** absent: sglang */
  readonly engine?: keyof typeof ENGINES
  /** the engine's; decides on null or '' for an empty text, and more. Absent: a recent one */
  readonly version?: string
  /** absent: as fast as it goes */
  readonly tokensPerSecond?: number
}

const CONTEXT = 32_768

const ENGINES = {
  sglang: { speak: sglang, version: '0.5.18' },
  vllm: { speak: vllm, version: '0.19.0' },
  ollama: { speak: ollama, version: '0.12.6' },
} satisfies Readonly<Record<string, { readonly speak: DialectOf; readonly version: string }>>

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const engine = ENGINES[options.engine ?? 'sglang']
  const settings: Settings = {
    story: options.story,
    model: options.model ?? 'Qwen3.6-27B',
    dialect: engine.speak(options.version ?? engine.version),
    running: 0,
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
  readonly dialect: Dialect
  /** chats at work */
  running: number
  readonly tokensPerSecond: number
  readonly context: number
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const path = new URL(request.url ?? '/', 'http://lab').pathname
  return { method: request.method ?? 'GET', path, body: await text(request) }
}

async function answer(asked: SeenRequest, response: ServerResponse, settings: Settings): Promise<void> {
  const { dialect, story } = settings
  if (dialect.server !== null) response.setHeader('server', dialect.server)
  if (asked.path === '/v1/chat/completions') return chat(asked, response, settings)
  if (dialect.health.includes(asked.path)) {
    response.writeHead(story.health).end()
    return
  }
  const fact = dialect.facts(settings).get(asked.path)
  if (fact === undefined) send(response, 404, dialect.noRoute)
  else send(response, 200, fact)
}

async function chat(asked: SeenRequest, response: ServerResponse, settings: Settings): Promise<void> {
  const { dialect, tokensPerSecond } = settings
  const request = readChatRequest(asked.body, settings.context)
  const problem = typeof request === 'string' ? request : tooLong(request, settings.context)
  if (typeof request === 'string' || problem !== null) {
    return send(response, 400, dialect.refusal(400, 'BadRequestError', problem ?? ''))
  }
  const act = settings.story.play(request)
  if (act.act === 'refuse') return send(response, act.status, dialect.refusal(act.status, act.type, act.message))
  const head = { id: dialect.newId(), model: request.model, created: Math.floor(Date.now() / 1000) }
  settings.running += 1
  await speak(response, request, act, { dialect, head, tokensPerSecond }).finally(() => {
    settings.running -= 1
  })
}

function tooLong(request: ChatRequest, context: number): string | null {
  const wanted = roughTokens(request) + request.budget
  if (wanted <= context) return null
  return `Requested token count exceeds the model's maximum context length of ${context} tokens. You requested a total of ${wanted} tokens.`
}
