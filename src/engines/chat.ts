import type { Answer, Engine, Watch } from '../domain/engine.ts'
import type { Failure } from '../domain/failure.ts'
import { readJson } from '../domain/json.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Api, ApiRequest, Reply, StreamEnd } from '../domain/ports.ts'
import type { Exchange, SmokeRequest } from '../domain/smoke.ts'
import { broken, endedEarly, errorInside, explained, noChat } from './chat-failure.ts'
import type { Assembly, ReadUsage } from './completion.ts'
import { assemble } from './completion.ts'
import { chatAnswer } from './wire.ts'

/** What differs between engines that speak OpenAI's chat dialect. */
export interface Dialect {
  readonly usage: ReadUsage
  readonly complaint: Engine['complaint']
}

/** Asks for a chat completion, streamed or whole, and keeps all that came, whatever went wrong. */
export function chat(dialect: Dialect): Engine['complete'] {
  return (api, request, watch, signal) =>
    request.stream ? streamed(dialect, api, request, watch, signal) : whole(dialect, api, request, watch, signal)
}

const PATH = '/v1/chat/completions'

async function streamed(
  dialect: Dialect,
  api: Api,
  request: SmokeRequest,
  watch: Watch,
  signal: AbortSignal,
): Promise<Answer> {
  const assembly = assemble({
    usage: dialect.usage,
    streamed: true,
    onText: (channel, text) => watch.onPiece({ channel, text }),
  })
  const seen: Seen = { error: null, broken: 0, sample: '' }
  const call = { method: 'POST', path: PATH, body: bodyOf(request), patienceMs: watch.patienceMs } as const
  const outcome = await api.events(call, (event) => takeEvent(assembly, seen, event.data, event.atMs), signal)
  const end = outcome.ok ? outcome.value : (outcome.partial ?? {})
  const failure = streamFailure(dialect, api, outcome, assembly, seen)
  return {
    completion: assembly.seen === 0 ? null : assembly.completion(end.totalMs ?? 0),
    failure,
    exchange: exchangeOf(api, call, end, failure, end.done === true ? 'done' : 'eof'),
  }
}

/** A whole answer is silent while the model writes, so silence is no hang there: room for 5 tokens a second. */
const MS_PER_TOKEN = 200

async function whole(
  dialect: Dialect,
  api: Api,
  request: SmokeRequest,
  watch: Watch,
  signal: AbortSignal,
): Promise<Answer> {
  const assembly = assemble({
    usage: dialect.usage,
    streamed: false,
    onText: (channel, text) => watch.onPiece({ channel, text }),
  })
  const seen: Seen = { error: null, broken: 0, sample: '' }
  const patienceMs = watch.patienceMs + request.budget * MS_PER_TOKEN
  const call = { method: 'POST', path: PATH, body: bodyOf(request), patienceMs } as const
  const outcome = await api.json(call, signal)
  const reply = outcome.ok ? outcome.value : (outcome.partial ?? {})
  if (outcome.ok) takeJson(assembly, seen, outcome.value.json, outcome.value.text, outcome.value.totalMs)
  const failure = wholeFailure(dialect, api, outcome, assembly, seen)
  return {
    completion: assembly.seen === 0 ? null : assembly.completion(reply.totalMs ?? 0),
    failure,
    exchange: exchangeOf(api, call, reply, failure, 'eof'),
  }
}

/** The model's own sampling and thinking are left alone unless somebody asked for something else. */
function bodyOf(request: SmokeRequest) {
  const { model, prompt, budget, temperature, thinking, stream } = request
  return {
    ...(model === null ? {} : { model }),
    messages: [{ role: 'user', content: prompt }],
    max_tokens: budget,
    ...(temperature === null ? {} : { temperature }),
    ...(thinking === null ? {} : { chat_template_kwargs: { enable_thinking: thinking } }),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
  }
}

/** What was seen beside the answer itself. */
interface Seen {
  /** the first error that was sent inside the answer */
  error: string | null
  /** events that are no JSON object, and the first of them */
  broken: number
  sample: string
}

function takeEvent(assembly: Assembly, seen: Seen, data: string, atMs: number): void {
  if (data === '' || data === '[DONE]') return
  const read = readJson(data)
  // undefined is no answer either
  takeJson(assembly, seen, read.ok ? read.value : undefined, data, atMs)
}

function takeJson(assembly: Assembly, seen: Seen, json: unknown, text: string, atMs: number): void {
  const read = chatAnswer.safeParse(json)
  if (!read.success) {
    seen.broken += 1
    seen.sample ||= text.slice(0, 160)
    return
  }
  const { error, object } = read.data
  if ((error !== null && error !== undefined) || object === 'error') seen.error ??= text
  else assembly.add(read.data, atMs)
}

function streamFailure(
  dialect: Dialect,
  api: Api,
  outcome: Outcome<StreamEnd>,
  assembly: Assembly,
  seen: Seen,
): Failure | null {
  if (seen.error !== null) return errorInside(dialect.complaint, api.url, seen.error)
  if (!outcome.ok) return explained(dialect.complaint, outcome.failure)
  if (seen.broken > 0) return broken(api.url, seen, outcome.value.events)
  if (assembly.seen === 0) return noChat(api.url, outcome.value.text)
  const ended = outcome.value.done || assembly.completion(0).finish !== null
  return ended ? null : endedEarly(api.url, outcome.value.events)
}

function wholeFailure(
  dialect: Dialect,
  api: Api,
  outcome: Outcome<Reply>,
  assembly: Assembly,
  seen: Seen,
): Failure | null {
  if (seen.error !== null) return errorInside(dialect.complaint, api.url, seen.error)
  if (!outcome.ok) return explained(dialect.complaint, outcome.failure)
  return assembly.seen === 0 ? noChat(api.url, outcome.value.text) : null
}

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'set-cookie', 'cookie'])

function exchangeOf(
  api: Api,
  call: ApiRequest,
  end: Partial<Pick<StreamEnd, 'status' | 'headers' | 'text'>>,
  failure: Failure | null,
  good: string,
): Exchange {
  const headers = Object.entries(end.headers ?? {}).filter(([name]) => !SECRET_HEADERS.has(name))
  return {
    url: `${api.url}${call.path}`,
    request: JSON.stringify(call.body),
    status: end.status ?? failure?.http?.status ?? null,
    headers: Object.fromEntries(headers),
    response: end.text ?? failure?.http?.body ?? '',
    end: failure === null ? good : failure.kind,
  }
}
