import type { Answer, Engine, Watch } from '../domain/engine.ts'
import { bothEnds } from '../domain/excerpt.ts'
import type { Failure } from '../domain/failure.ts'
import { readJson } from '../domain/json.ts'
import type { Outcome } from '../domain/outcome.ts'
import { ok } from '../domain/outcome.ts'
import type { Api, ApiRequest, Reply, StreamBounds, StreamEnd } from '../domain/ports.ts'
import type { SmokeRequest } from '../domain/smoke.ts'
import { streamFailure, wholeFailure } from './chat-failure.ts'
import type { Reading } from './chat-reading.ts'
import { isAnswer, reading } from './chat-reading.ts'
import type { ReadUsage } from './completion.ts'

/** What differs between engines that speak OpenAI's chat dialect. */
export interface Dialect {
  readonly usage: ReadUsage
  readonly complaint: Engine['complaint']
  /** what a request says so that the model thinks, or does not */
  thinking(on: boolean): object
}

/** Asks for a chat completion, streamed or whole, and keeps all that came, whatever went wrong. */
export function chat(dialect: Dialect): Engine['complete'] {
  return (api, request, watch, signal) => {
    const asked = { dialect, api, watch, call: { method: 'POST', path: PATH, body: bodyOf(request, dialect) } } as const
    return request.stream ? streamed(asked, request.budget, signal) : whole(asked, request.budget, signal)
  }
}

const PATH = '/v1/chat/completions'

interface Asked {
  readonly dialect: Dialect
  readonly api: Api
  readonly watch: Watch
  readonly call: Omit<ApiRequest, 'patienceMs'>
}

/**
 * What a stream may bring for a budget. The event of a token has some 300 bytes, with a gateway's additions 700; a gateway
 * that only plays a stream cuts a token into its letters; and there is room for pings.
 */
function mostFor(budget: number): StreamBounds {
  return { bytes: 1024 * 1024 + budget * 2048, events: 1_000 + budget * 8 }
}

async function streamed(asked: Asked, budget: number, signal: AbortSignal): Promise<Answer> {
  const { api, watch, call } = asked
  const read = readingOf(asked, true)
  const request = { ...call, patienceMs: watch.patienceMs, most: mostFor(budget) }
  const outcome = await api.events(request, ({ data, atMs }) => read.event(data, atMs), signal)
  const instead = wholeInstead(outcome)
  if (instead !== null) return wholeAnswer(asked, ok(instead), 'eof, not streamed')
  const end = outcome.ok ? outcome.value : (outcome.partial ?? {})
  const failure = streamFailure(fromOf(asked), read, outcome)
  return answerOf(asked, read, end, failure, end.done === true ? 'done' : 'eof')
}

/** A whole answer where a stream was asked for: the server, or a gateway before it, does not stream. */
function wholeInstead(outcome: Outcome<StreamEnd>): Reply | null {
  if (outcome.ok || outcome.failure.kind !== 'not-stream') return null
  const { status = 200, headers = {}, text = '', totalMs = 0 } = outcome.partial ?? {}
  const json = readJson(text)
  if (!json.ok || !isAnswer(json.value)) return null
  return { status, headers, json: json.value, text, headMs: totalMs, totalMs }
}

/** A whole answer is silent while the model writes, so silence is no hang there: room for 5 tokens a second. */
const MS_PER_TOKEN = 200

async function whole(asked: Asked, budget: number, signal: AbortSignal): Promise<Answer> {
  const patienceMs = asked.watch.patienceMs + budget * MS_PER_TOKEN
  // a body that drips blanks to keep the connection is no progress either
  const outcome = await asked.api.json({ ...asked.call, patienceMs, deadlineMs: patienceMs }, signal)
  return wholeAnswer(asked, outcome, 'eof')
}

function wholeAnswer(asked: Asked, outcome: Outcome<Reply>, good: string): Answer {
  const read = readingOf(asked, false)
  if (outcome.ok) read.body(outcome.value.json, outcome.value.text, outcome.value.totalMs)
  const reply = outcome.ok ? outcome.value : (outcome.partial ?? {})
  return answerOf(asked, read, reply, wholeFailure(fromOf(asked), read, outcome), good)
}

function readingOf({ dialect, watch }: Asked, isStream: boolean): Reading {
  return reading({
    usage: dialect.usage,
    streamed: isStream,
    onText: (channel, text) => watch.onPiece({ channel, text }),
  })
}

function fromOf({ api, dialect }: Asked) {
  return { url: api.url, complaint: dialect.complaint }
}

/** The model's own sampling and thinking are left alone unless somebody asked for something else. */
function bodyOf(request: SmokeRequest, dialect: Dialect) {
  const { model, prompt, budget, temperature, thinking, stream } = request
  return {
    ...(model === null ? {} : { model }),
    messages: [{ role: 'user', content: prompt }],
    max_tokens: budget,
    ...(temperature === null ? {} : { temperature }),
    ...(thinking === null ? {} : dialect.thinking(thinking)),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
  }
}

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'set-cookie', 'cookie'])

function answerOf(
  { api, call }: Asked,
  { assembly }: Reading,
  end: Partial<Pick<StreamEnd, 'status' | 'headers' | 'text' | 'totalMs'>>,
  failure: Failure | null,
  good: string,
): Answer {
  const headers = Object.entries(end.headers ?? {}).filter(([name]) => !SECRET_HEADERS.has(name))
  return {
    completion: assembly.completion(end.totalMs ?? 0),
    failure,
    exchange: {
      url: `${api.url}${call.path}`,
      request: JSON.stringify(call.body),
      status: end.status ?? failure?.http?.status ?? null,
      headers: Object.fromEntries(headers),
      response: bothEnds(end.text ?? failure?.http?.body ?? ''),
      end: failure === null ? good : failure.kind,
    },
  }
}
