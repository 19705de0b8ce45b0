import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { readJson } from '../domain/json.ts'
import { listen } from './listen.ts'
import type { ChatRequest } from './model-server/chat-request.ts'
import { readChatRequest } from './model-server/chat-request.ts'
import type { Dialect, DialectOf, RawWay } from './model-server/dialect.ts'
import { roughTokens } from './model-server/dialect.ts'
import { ollama } from './model-server/ollama.ts'
import { rawSpeech } from './model-server/raw.ts'
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
  /** how many requests wait, as it tells of itself */
  setWaiting(waiting: number): void
  /** ends every connection, as the death of a process does; a new one is served */
  hangUp(): void
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
    waiting: 0,
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
    setWaiting(waiting) {
      settings.waiting = waiting
    },
    hangUp: () => server.closeAllConnections(),
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
  waiting: number
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
  if (story.hung && !FRONT.includes(asked.path)) return
  if (asked.path === '/v1/chat/completions') return chat(asked, response, settings)
  if (asked.path === dialect.raw?.path) return raw(dialect.raw, asked, response, settings)
  const tool = dialect.tools?.get(asked.path)
  if (tool !== undefined) return without(tool, asked, response, settings)
  if (dialect.health.includes(asked.path)) {
    response.writeHead(story.health).end()
    return
  }
  const fact = dialect.facts(settings).get(asked.path)
  if (fact === undefined) send(response, 404, dialect.noRoute)
  else send(response, 200, fact)
}

/** What SGLang's HTTP process answers without asking a scheduler (sglang.md 1.2). */
const FRONT = ['/v1/models', '/model_info', '/get_model_info']

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

/** Past the template and the parser, and at once. */
function raw(way: RawWay, asked: SeenRequest, response: ServerResponse, { dialect, story, model }: Settings): void {
  const json = readJson(asked.body)
  const { prompt, budget } = way.read(json.ok ? json.value : null)
  const act = story.play({ prompt, budget, thinking: true, model })
  if (act.act === 'refuse') {
    send(response, act.status, dialect.refusal(act.status, act.type, act.message))
    return
  }
  const { text: said, ended } = rawSpeech(act, budget, Math.ceil(prompt.length / 4))
  send(response, 200, way.answer(said, ended))
}

/** A text that the server handles without its model. */
function without(
  tool: (json: unknown) => unknown,
  asked: SeenRequest,
  response: ServerResponse,
  { dialect }: Settings,
): void {
  const json = readJson(asked.body)
  const told = tool(json.ok ? json.value : null)
  if (told === null) send(response, 500, dialect.refusal(500, 'InternalServerError', 'Unsupported request'))
  else send(response, 200, told)
}

function tooLong(request: ChatRequest, context: number): string | null {
  const wanted = roughTokens(request) + request.budget
  if (wanted <= context) return null
  return `Requested token count exceeds the model's maximum context length of ${context} tokens. You requested a total of ${wanted} tokens.`
}
