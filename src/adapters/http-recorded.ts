import type { Failure } from '../domain/failure.ts'
import { readJson } from '../domain/json.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Recorded, Reply, StreamEnd, StreamEvent } from '../domain/ports.ts'
import type { EventReceiver } from './http-events.ts'
import { eventReceiver } from './http-events.ts'
import { emptyBody, noJson, noStream, wireFailure } from './http-failure.ts'
import type { Head } from './http-send.ts'
import { refusalOf } from './http-send.ts'
import { silent, stalled } from './http-watch.ts'

/** An exchange as somebody wrote it down. */
export interface Recording {
  /** what answered, for a sentence: `the server` */
  readonly thing: string
  /** what was sent; `{}` where that is not known */
  readonly sent: unknown
  /** null where no head came */
  readonly status: number | null
  /** lower-case names */
  readonly headers: Readonly<Record<string, string>>
  /** the body, decoded */
  readonly text: string
  readonly end: RecordedEnd
  /** when each event came, in ms since the request was sent; empty where that is not known */
  readonly times: readonly number[]
  /** how long nothing came before the end, in ms; null where that is not known */
  readonly silenceMs: number | null
}

/** eof: the body ended as it should · the others as the adapters meet them on the wire. */
export type RecordedEnd = 'eof' | 'timeout' | 'cut' | 'refused' | 'unresolved' | 'unreachable' | 'tls' | 'stopped'

/** The outcomes that the wire would have given for a recording: same refusals, same failures, same bounds of an event. */
export function recorded(recording: Recording): Recorded {
  return {
    url: '(recorded)',
    body: recording.sent,
    json: () => json(recording),
    events: (onEvent) => events(recording, onEvent),
  }
}

function json(recording: Recording): Outcome<Reply> {
  const { thing, text } = recording
  const head = headOf(recording)
  const received = { ...head, text, totalMs: lastOf(recording) }
  const failure = refused(recording, head) ?? failureOf(recording, false)
  if (failure !== null) return failed<Reply>(failure, received)
  if (text.trim() === '') return failed<Reply>(emptyBody(thing, head.status), received)
  const read = readJson(text)
  return read.ok
    ? ok({ ...received, json: read.value })
    : failed<Reply>(noJson(thing, received, read.problem), received)
}

function events(recording: Recording, onEvent: (event: StreamEvent) => boolean): Outcome<StreamEnd> {
  const { thing, text, times } = recording
  let seen = 0
  const receiver = eventReceiver(thing, (data) => {
    const atMs = times[Math.min(seen, times.length - 1)] ?? 0
    seen += 1
    return onEvent({ data, atMs })
  })
  const head = headOf(recording)
  const refusal = refused(recording, head) ?? (recording.status === null ? null : unfit(receiver, head, text))
  const problem = refusal ?? pour(receiver, text) ?? failureOf(recording, isIdle(receiver))
  if (problem === null) receiver.end()
  const totalMs = lastOf(recording)
  const end = { ...head, text, totalMs, done: receiver.complete(), events: receiver.count() }
  if (problem !== null && !(refusal === null && receiver.complete())) return failed(problem, end)
  if (text.trim() === '') return failed(emptyBody(thing, head.status), end)
  return end.events === 0 ? failed(noStream(thing, head.status, 'no events', text), end) : ok(end)
}

function unfit(receiver: EventReceiver, head: Head, text: string): Failure | null {
  return receiver.refuse(head)?.(text) ?? null
}

/** In pieces as they come from a network, the last block by itself: whether that was progress matters. */
function pour(receiver: EventReceiver, text: string): Failure | null {
  const last = text.lastIndexOf('\n\n', text.trimEnd().length) + 1
  const most = text.slice(0, last)
  for (let at = 0; at < most.length; at += PIECE) {
    const piece = most.slice(at, at + PIECE)
    const problem = receiver.take(piece, piece.length)
    if (problem !== null) return problem
  }
  return receiver.take(text.slice(last), text.length - last)
}

const PIECE = 16 * 1024

function isIdle(receiver: EventReceiver): boolean {
  return !receiver.progressed()
}

/** Whoever wrote the body down has taken a compression away; live ones are refused. */
function headOf({ status, headers, times }: Recording): Head {
  const { 'content-encoding': _, ...others } = headers
  return { status: status ?? 0, headers: others, headMs: times[0] ?? 0 }
}

function refused({ status, thing, text }: Recording, head: Head): Failure | null {
  return status === null ? null : (refusalOf(thing, head)?.(text.slice(0, LARGEST_REFUSAL)) ?? null)
}

const LARGEST_REFUSAL = 64 * 1024

function lastOf({ times, silenceMs }: Recording): number {
  return (times.at(-1) ?? 0) + (silenceMs ?? 0)
}

function failureOf({ thing, status, end, silenceMs }: Recording, idle: boolean): Failure | null {
  const answered = status !== null
  if (end === 'timeout') return answered ? stalled(thing, silenceMs, idle) : silent(thing, silenceMs)
  if (end === 'stopped') return { kind: 'stopped', thing, observed: 'stopped on request', next: 'ask again' }
  if (end === 'eof' && answered) return null
  const { code, words } = WIRE[end]
  return wireFailure(thing, Object.assign(new Error(words), { code }), answered)
}

/** What undici and the socket say for each. */
const WIRE: Readonly<Record<Exclude<RecordedEnd, 'timeout' | 'stopped'>, { code: string; words: string }>> = {
  eof: { code: 'UND_ERR_SOCKET', words: 'other side closed' },
  cut: { code: 'ECONNRESET', words: 'the connection was closed' },
  refused: { code: 'ECONNREFUSED', words: 'connection refused' },
  unresolved: { code: 'ENOTFOUND', words: 'the name is not known' },
  unreachable: { code: 'EHOSTUNREACH', words: 'no way to the host' },
  tls: { code: 'EPROTO', words: 'no TLS is spoken there' },
}
