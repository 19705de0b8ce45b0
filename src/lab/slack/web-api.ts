import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as timer } from 'node:timers/promises'
import type { Fault, Faults } from './faults.ts'
import { readArguments, readBody, sendJson } from './http.ts'
import type { Fields } from './json.ts'
import { textAt } from './json.ts'
import { METHODS } from './methods/index.ts'
import type { Desk } from './methods/method.ts'
import type { Pacing } from './pace.ts'
import { refuse } from './validate.ts'

/** One call of the Web API as it came, and what was answered; `/respond`: the use of a response_url. */
export interface Call {
  readonly method: string
  readonly args: Fields
  /** epoch ms */
  readonly at: number
  /** what was done and answered, or should have been; null where nothing was done */
  readonly reply: Fields | null
  /** what went wrong on purpose; `paced`: it came faster than the enforced pace */
  readonly fault: Fault['kind'] | 'paced' | 'outage' | null
}

export interface WebApiNeeds {
  readonly desk: Desk
  readonly faults: Faults
  readonly pacing: Pacing
  readonly botToken: string
  readonly appToken: string
  readonly scopes: readonly string[]
  record(call: Call): void
}

const BODY_BYTES = 4 * 1024 * 1024

/** Answers `/api/METHOD`. An unknown method is 200 with `ok: false`, as in Slack. */
export async function answerApi(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  needs: WebApiNeeds,
): Promise<void> {
  const body = await readBody(request, BODY_BYTES)
  if (body === null) {
    response.writeHead(413).end()
    return
  }
  const { token, ...args } = readArguments(request, body)
  const headers = { 'x-oauth-scopes': needs.scopes.join(',') }
  await answerCall({ method: name, args }, response, needs, () => {
    return { status: 200, reply: run(name, args, bearer(request) ?? String(token ?? ''), needs), headers }
  })
}

interface Answer {
  readonly status: number
  readonly reply: Fields
  readonly headers: Record<string, string>
}

/** Does and answers a call, or lets happen to it what was asked for. */
export async function answerCall(
  asked: Pick<Call, 'method' | 'args'>,
  response: ServerResponse,
  needs: Pick<WebApiNeeds, 'desk' | 'faults' | 'pacing' | 'record'>,
  answer: () => Answer,
): Promise<void> {
  const call = { ...asked, at: needs.desk.world.now() }
  const fault = needs.faults.take(call.method, channelIn(call.args)) ?? tooFast(call.method, call.args, needs)
  if (fault !== null && isBefore(fault)) {
    needs.record({ ...call, reply: null, fault: fault.kind })
    refuseBy(fault, response)
    return
  }
  const { status, reply, headers } = answer()
  needs.record({ ...call, reply, fault: fault?.kind ?? null })
  if (fault === null || (await mayAnswer(fault, response))) sendJson(response, status, reply, headers)
}

interface Paced {
  readonly kind: 'paced'
  readonly retryAfter: number
}

function tooFast(name: string, args: Fields, { pacing }: Pick<WebApiNeeds, 'pacing'>): Paced | null {
  const retryAfter = pacing.refuse(name, channelIn(args))
  return retryAfter === null ? null : { kind: 'paced', retryAfter }
}

/** Uploads call it otherwise. */
function channelIn(args: Fields): string | null {
  return textAt(args, 'channel') ?? textAt(args, 'channel_id')
}

function bearer(request: IncomingMessage): string | undefined {
  return request.headers.authorization?.replace(/^Bearer\s*/, '')
}

function run(name: string, args: Fields, token: string, needs: WebApiNeeds): Fields {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
  if (method === undefined) return refuse('unknown_method', { req_method: name })
  if (method.open === true) return method.run(args, needs.desk)
  if (token === '') return refuse('not_authed')
  const right = name === 'apps.connections.open' ? needs.appToken : needs.botToken
  if (token !== right) {
    return refuse(token === needs.botToken || token === needs.appToken ? 'not_allowed_token_type' : 'invalid_auth')
  }
  const scope = typeof method.scope === 'function' ? method.scope(args, needs.desk.world) : method.scope
  return missing(scope, needs.scopes) ?? method.run(args, needs.desk)
}

function missing(scope: string | null, scopes: readonly string[]): Fields | null {
  if (scope === null || scopes.includes(scope)) return null
  return refuse('missing_scope', { needed: scope, provided: scopes.join(',') })
}

/** Faults that strike after the deed. */
type After = Extract<Fault, { readonly kind: 'lost' | 'slow' | 'http-after' | 'hang-after' }>
type Before = Exclude<Fault, After> | Paced

function isBefore(fault: Fault | Paced): fault is Before {
  return !['lost', 'slow', 'http-after', 'hang-after'].includes(fault.kind)
}

function refuseBy(fault: Before, response: ServerResponse): void {
  switch (fault.kind) {
    case 'rate-limited':
    case 'paced':
      sendJson(response, 429, refuse('ratelimited'), { 'retry-after': String(fault.retryAfter) })
      return
    case 'http':
      serverError(response, fault.status)
      return
    case 'error':
      sendJson(response, 200, refuse(fault.error))
      return
    case 'reset':
      response.destroy()
      return
    case 'hang':
  }
}

/** Whether the answer still goes out; where it does not, the fault has had its way. */
async function mayAnswer(fault: After, response: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'slow':
      await timer(fault.ms, undefined, { ref: false })
      return true
    case 'lost':
      response.destroy()
      return false
    case 'http-after':
      serverError(response, fault.status)
      return false
    case 'hang-after':
      return false
  }
}

function serverError(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Server Error</h1>')
}
