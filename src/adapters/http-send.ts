import type { IncomingHttpHeaders } from 'node:http'

import { beforeCut, excerpt } from '../domain/excerpt.ts'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { ApiRequest } from '../domain/ports.ts'
import { statusFailure, wireFailure } from './http-failure.ts'
import { proxyRefusal } from './http-proxy-failure.ts'
import type { Watch } from './http-watch.ts'
import { watch } from './http-watch.ts'

/** The head of an answer. */
export interface Head {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** ms since the request was sent */
  readonly headMs: number
}

/** An answer that was read; of a failed one whatever had come. */
export interface Received extends Head {
  readonly text: string
  readonly totalMs: number
}

/** What is done with the body of a 2xx answer. */
export interface Receiver {
  /** Why this answer is not what was asked for, once its body has been read for the sentence; null where it is. */
  refuse(head: Head): Refusal | null
  /** A piece of text and the bytes it came in. A failure ends the call. */
  take(text: string, bytes: number): Failure | null
  /** Whether the last piece was progress, so that the patience begins anew. */
  progressed(): boolean
  text(): string
  /** Whether all that matters has come, however the connection ends. */
  complete(): boolean
}

/** Makes a failure from the beginning of a body. */
export type Refusal = (body: string) => Failure

/** Sends a request somehow; undici's `request` in the product. */
export type Request = (signal: AbortSignal) => Promise<{
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
  readonly body: AsyncIterable<Buffer>
}>

/** One request to its end: head, refusals, body, limits. Never throws for what happens on the wire. */
export async function send(
  thing: string,
  request: Request,
  limits: ApiRequest,
  signal: AbortSignal,
  receiver: Receiver,
): Promise<Outcome<Received>> {
  const began = performance.now()
  const since = () => performance.now() - began
  const guard = watch(thing, limits, signal)
  let head: Head = NO_HEAD
  const received = () => ({ ...head, text: receiver.text(), totalMs: since() })
  try {
    const response = await request(guard.signal)
    head = { status: response.statusCode, headers: flat(response.headers), headMs: since() }
    guard.heard(true)
    const refusal = refusalOf(thing, head) ?? receiver.refuse(head)
    if (refusal !== null) {
      const text = await beginning(response.body, head.status < 300 ? LARGEST_WHOLE : LARGEST_REFUSAL)
      return failed(refusal(text), { ...head, text, totalMs: since() })
    }
    const problem = await pour(response.body, guard, receiver)
    return problem === null ? ok(received()) : failed(problem, received())
  } catch (error) {
    if (receiver.complete()) return ok(received())
    const failure = guard.reason() ?? wireFailure(thing, error, head !== NO_HEAD)
    if (failure === null) throw error
    return head === NO_HEAD ? failed<Received>(failure, { totalMs: since() }) : failed(failure, received())
  } finally {
    guard.close()
  }
}

const NO_HEAD: Head = { status: 0, headers: {}, headMs: 0 }
const LARGEST_REFUSAL = 64 * 1024
/** A whole answer may come where a stream was asked for. */
const LARGEST_WHOLE = 256 * 1024

async function pour(body: AsyncIterable<Buffer>, guard: Watch, receiver: Receiver): Promise<Failure | null> {
  const decoder = new TextDecoder()
  for await (const chunk of inTurns(body)) {
    const problem = receiver.take(decoder.decode(chunk, { stream: true }), chunk.length)
    if (problem !== null) return problem
    guard.heard(receiver.progressed())
    if (receiver.complete()) guard.finish()
  }
  return receiver.take(decoder.decode(), 0)
}

/**
 * A body in pieces that are read in one turn. What comes faster than it is read would keep all timers and everybody else
 * waiting: libuv reads up to 2 MiB in a row.
 */
async function* inTurns(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let since = performance.now()
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += LARGEST_PIECE) {
      if (performance.now() - since > LONGEST_TURN_MS) {
        await new Promise(setImmediate)
        since = performance.now()
      }
      yield chunk.subarray(at, at + LARGEST_PIECE)
    }
  }
}

const LARGEST_PIECE = 16 * 1024
const LONGEST_TURN_MS = 20

/** The first bytes of a body that was not asked for, as many as came within the patience: a cut in it changes nothing. */
async function beginning(body: AsyncIterable<Buffer>, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= most) break
    }
  } catch {
    // what came is enough
  }
  const text = Buffer.concat(chunks).subarray(0, most).toString('utf8')
  return size >= most ? beforeCut(text) : text
}

/** Why the head alone makes an answer unfit; null where it does not. */
export function refusalOf(thing: string, head: Head): Refusal | null {
  const { status, headers } = head
  const encoding = headers['content-encoding'] ?? ''
  if (!isPlain(encoding)) return () => encoded(thing, status, encoding)
  if (status >= 300 && status < 400) return () => redirected(thing, status, headers['location'] ?? '')
  if (status === 407) return () => proxyRefusal(thing, status)
  if (status < 200 || status >= 400) return (body) => statusFailure(thing, status, body)
  return null
}

/** Whether a body is in no encoding; a chain of encodings is one list or several headers. */
function isPlain(encoding: string): boolean {
  return encoding.split(',').every((one) => /^(?:identity)?$/i.test(one.trim()))
}

/** Never inflated: one MiB of it can stand for gigabytes (trust.md T24). */
function encoded(thing: string, status: number, encoding: string): Failure {
  return {
    kind: 'content-encoding',
    thing,
    observed: `answered HTTP ${status} in content-encoding ${excerpt(encoding, 60)}, which was not asked for`,
    next: 'turn compression off in the proxy before the server, or name the server itself in the URL',
  }
}

function redirected(thing: string, status: number, location: string): Failure {
  return {
    kind: 'redirect',
    thing,
    observed: `answered HTTP ${status} and points to ${location === '' ? 'nowhere' : excerpt(location, 200)}`,
    next: 'name the address of the model server itself in the URL; redirects are not followed',
  }
}

function flat(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return Object.fromEntries(entries)
}
