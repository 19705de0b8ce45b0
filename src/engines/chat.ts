import type { Answer, Engine } from '../domain/engine.ts'
import type { Api, Recorded, StreamBounds } from '../domain/ports.ts'
import type { SmokeRequest } from '../domain/smoke.ts'
import type { Sent } from './chat-answer.ts'
import { readingOf, streamAnswer, wholeAnswer } from './chat-answer.ts'
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
    const { usage, complaint } = dialect
    const body = bodyOf(request, dialect)
    const sent: Sent = {
      url: api.url,
      path: PATH,
      body,
      usage,
      complaint,
      onText: (channel, text) => watch.onPiece({ channel, text }),
    }
    const asking = { api, sent, budget: request.budget, patienceMs: watch.patienceMs, signal }
    return request.stream ? streamed(asking) : whole(asking)
  }
}

/** Reads an answer that was recorded just as the one that comes over the wire. */
export function reread({ usage, complaint }: Dialect): Engine['reread'] {
  return (recorded, streams) => {
    const { url, body } = recorded
    const sent: Sent = { url, path: PATH, body, usage, complaint, onText: () => undefined }
    return streams ? streamedAgain(sent, recorded) : wholeAnswer(sent, recorded.json(), 'eof')
  }
}

const PATH = '/v1/chat/completions'

interface Asking {
  readonly api: Api
  readonly sent: Sent
  readonly budget: number
  readonly patienceMs: number
  readonly signal: AbortSignal
}

/**
 * What a stream may bring for a budget. The event of a token has some 300 bytes, with a gateway's additions 700; a gateway
 * that only plays a stream cuts a token into its letters; and there is room for pings.
 */
function mostFor(budget: number): StreamBounds {
  return { bytes: 1024 * 1024 + budget * 2048, events: 1_000 + budget * 8 }
}

async function streamed({ api, sent, budget, patienceMs, signal }: Asking): Promise<Answer> {
  const read = readingOf(sent, true)
  const { path, body } = sent
  const request = { method: 'POST', path, body, patienceMs, most: mostFor(budget) } as const
  const outcome = await api.events(request, ({ data, atMs }) => read.event(data, atMs), signal)
  return streamAnswer(sent, read, outcome)
}

function streamedAgain(sent: Sent, recorded: Recorded): Answer {
  const read = readingOf(sent, true)
  return streamAnswer(
    sent,
    read,
    recorded.events(({ data, atMs }) => read.event(data, atMs)),
  )
}

/** A whole answer is silent while the model writes, so silence is no hang there: room for 5 tokens a second. */
const MS_PER_TOKEN = 200

/** How long a whole answer of so many tokens may take, in ms. */
export function wholeMs(patienceMs: number, budget: number): number {
  return patienceMs + budget * MS_PER_TOKEN
}

async function whole({ api, sent, budget, patienceMs, signal }: Asking): Promise<Answer> {
  const { path, body } = sent
  const longest = wholeMs(patienceMs, budget)
  // a body that drips blanks to keep the connection is no progress either
  const request = { method: 'POST', path, body, patienceMs: longest, deadlineMs: longest } as const
  return wholeAnswer(sent, await api.json(request, signal), 'eof')
}

/** The model's own sampling and thinking are left alone unless somebody asked for something else. */
function bodyOf(request: SmokeRequest, dialect: Dialect) {
  const { model, prompt, budget, thinking, stream } = request
  return {
    ...(model === null ? {} : { model }),
    messages: [{ role: 'user', content: prompt }],
    max_tokens: budget,
    ...drawn(request),
    ...(thinking === null ? {} : dialect.thinking(thinking)),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
  }
}

/** The fields that say how tokens are drawn; what nobody asked for is not sent. */
export function drawn({ temperature, sampling }: SmokeRequest): object {
  const fields = {
    temperature: temperature ?? sampling?.temperature ?? null,
    top_p: sampling?.topP ?? null,
    top_k: sampling?.topK ?? null,
    min_p: sampling?.minP ?? null,
    presence_penalty: sampling?.presencePenalty ?? null,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
