import type { Answer, Engine } from '../domain/engine.ts'
import { bothEnds } from '../domain/excerpt.ts'
import type { Failure } from '../domain/failure.ts'
import { readJson } from '../domain/json.ts'
import type { Outcome } from '../domain/outcome.ts'
import { ok } from '../domain/outcome.ts'
import type { Reply, StreamEnd } from '../domain/ports.ts'
import { streamFailure, wholeFailure } from './chat-failure.ts'
import type { Reading } from './chat-reading.ts'
import { isAnswer, reading } from './chat-reading.ts'
import type { AssemblyOptions, ReadUsage } from './completion.ts'

/** To whom a request went, what it was, and how what comes back is read. */
export interface Sent {
  /** base URL */
  readonly url: string
  /** begins with / */
  readonly path: string
  readonly body: unknown
  readonly usage: ReadUsage
  readonly complaint: Engine['complaint']
  readonly onText: AssemblyOptions['onText']
}

export function readingOf({ usage, onText }: Sent, streamed: boolean): Reading {
  return reading({ usage, streamed, onText })
}

/** What a stream that is over has brought; `read` has seen its events. */
export function streamAnswer(sent: Sent, read: Reading, outcome: Outcome<StreamEnd>): Answer {
  const instead = wholeInstead(outcome)
  if (instead !== null) return wholeAnswer(sent, ok(instead), 'eof, not streamed')
  const end = outcome.ok ? outcome.value : (outcome.partial ?? {})
  return answerOf(sent, read, end, streamFailure(sent, read, outcome), end.done === true ? 'done' : 'eof')
}

/** What an answer in one piece has brought; `good` says how it ended where all is well. */
export function wholeAnswer(sent: Sent, outcome: Outcome<Reply>, good: string): Answer {
  const read = readingOf(sent, false)
  if (outcome.ok) read.body(outcome.value.json, outcome.value.text, outcome.value.totalMs)
  const reply = outcome.ok ? outcome.value : (outcome.partial ?? {})
  return answerOf(sent, read, reply, wholeFailure(sent, read, outcome), good)
}

/** A whole answer where a stream was asked for: the server, or a gateway before it, does not stream. */
function wholeInstead(outcome: Outcome<StreamEnd>): Reply | null {
  if (outcome.ok || outcome.failure.kind !== 'not-stream') return null
  const { status = 200, headers = {}, text = '', totalMs = 0 } = outcome.partial ?? {}
  const json = readJson(text)
  if (!json.ok || !isAnswer(json.value)) return null
  return { status, headers, json: json.value, text, headMs: totalMs, totalMs }
}

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'set-cookie', 'cookie'])

function answerOf(
  { url, path, body }: Sent,
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
      url: `${url}${path}`,
      request: JSON.stringify(body),
      status: end.status ?? failure?.http?.status ?? null,
      headers: Object.fromEntries(headers),
      response: bothEnds(end.text ?? failure?.http?.body ?? ''),
      end: failure === null ? good : failure.kind,
    },
  }
}
