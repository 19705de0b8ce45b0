import type { Engine } from '../domain/engine.ts'
import { excerpt } from '../domain/excerpt.ts'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Reply, StreamEnd } from '../domain/ports.ts'
import { counted } from '../domain/report.ts'
import type { Reading } from './chat-reading.ts'

/** What went wrong with a stream; null where it is whole. An error inside it, or a refusal, goes with the engine's reading. */
export function streamFailure(from: From, read: Reading, outcome: Outcome<StreamEnd>): Failure | null {
  const failure = failureOf(from, read, outcome)
  if (failure !== null || !outcome.ok) return failure
  const { broken, sample } = read.beside()
  const { done, events, text } = outcome.value
  if (broken > 0) return mangled(from.url, `${broken} of ${counted(events, 'event')}`, sample)
  const { seen, finish, misfit } = read.assembly
  if (seen > 0 && !done && finish === null) return endedEarly(from.url, events)
  return misfit === null ? null : noChat(from.url, misfit, text)
}

/** The same for an answer in one piece. */
export function wholeFailure(from: From, read: Reading, outcome: Outcome<Reply>): Failure | null {
  const failure = failureOf(from, read, outcome)
  if (failure !== null || !outcome.ok) return failure
  const { misfit } = read.assembly
  return misfit === null ? null : noChat(from.url, misfit, outcome.value.text)
}

/** The engine's own reading of a refusal goes with it. */
export function explained(complaint: Engine['complaint'], failure: Failure): Failure {
  const { http } = failure
  if (http === undefined) return failure
  return { ...failure, http: { ...http, complaint: complaint(http.status, http.body) } }
}

interface From {
  readonly url: string
  readonly complaint: Engine['complaint']
}

function failureOf({ url, complaint }: From, read: Reading, outcome: Outcome<unknown>): Failure | null {
  const { error } = read.beside()
  if (error !== null) return errorInside(complaint, url, error)
  return outcome.ok ? null : explained(complaint, outcome.failure)
}

const LARGEST_ERROR = 64 * 1024

function errorInside(read: Engine['complaint'], url: string, text: string): Failure {
  const complaint = read(200, text)
  return {
    kind: 'stream-error',
    thing: `server ${url}`,
    observed: `sent an error inside its answer: ${excerpt(complaint.message, 300)}`,
    next: 'look into the log of the server for this moment',
    http: { status: 200, body: excerpt(text, LARGEST_ERROR), complaint },
  }
}

function mangled(url: string, many: string, sample: string): Failure {
  return {
    kind: 'not-json',
    thing: `server ${url}`,
    observed: `${many} of the stream hold no chat chunk: “${sample}”`,
    next: 'ask without streaming (--no-stream); if that is whole, a proxy between mangles the stream',
  }
}

function noChat(url: string, misfit: string, text: string): Failure {
  return {
    kind: 'shape',
    thing: `server ${url}`,
    observed: `answered with something that is no chat completion (${misfit}): “${excerpt(text, 160)}”`,
    next: 'see what answers at this URL: it does not speak the chat dialect of OpenAI',
  }
}

function endedEarly(url: string, events: number): Failure {
  return {
    kind: 'ended-early',
    thing: `server ${url}`,
    observed: `the stream ended after ${counted(events, 'event')} with neither a finish reason nor [DONE]`,
    next: 'look into the log of the server for a crash at this moment',
  }
}
