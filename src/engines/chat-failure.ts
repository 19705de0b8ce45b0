import type { Engine } from '../domain/engine.ts'
import type { Failure } from '../domain/failure.ts'

/** The engine's own reading of a refusal goes with it. */
export function explained(complaint: Engine['complaint'], failure: Failure): Failure {
  const { http } = failure
  if (http === undefined) return failure
  return { ...failure, http: { ...http, complaint: complaint(http.status, http.body) } }
}

const LARGEST_ERROR = 64 * 1024

export function errorInside(read: Engine['complaint'], url: string, text: string): Failure {
  const complaint = read(200, text)
  return {
    kind: 'stream-error',
    thing: `server ${url}`,
    observed: `sent an error inside its answer: ${complaint.message.slice(0, 300)}`,
    next: 'look into the log of the server for this moment',
    http: { status: 200, body: text.slice(0, LARGEST_ERROR), complaint },
  }
}

export function broken(url: string, seen: { broken: number; sample: string }, events: number): Failure {
  return {
    kind: 'not-json',
    thing: `server ${url}`,
    observed: `${seen.broken} of ${events} events of the stream are no JSON: ${JSON.stringify(seen.sample)}`,
    next: 'ask without streaming (stream=false); if that is whole, a proxy between mangles the stream',
  }
}

export function noChat(url: string, text: string): Failure {
  return {
    kind: 'shape',
    thing: `server ${url}`,
    observed: `answered with something that is no chat completion: ${JSON.stringify(text.slice(0, 160))}`,
    next: 'see what answers at this URL: it does not speak the chat dialect of OpenAI',
  }
}

export function endedEarly(url: string, events: number): Failure {
  return {
    kind: 'ended-early',
    thing: `server ${url}`,
    observed: `the stream ended after ${events} events with neither a finish reason nor [DONE]`,
    next: 'look into the log of the server for a crash at this moment',
  }
}
