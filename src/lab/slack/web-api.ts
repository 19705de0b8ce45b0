import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as timer } from 'node:timers/promises'
import type { Fault, Faults } from './faults.ts'
import { readArguments, readBody, sendJson } from './http.ts'
import type { Fields } from './json.ts'
import { METHODS } from './methods/index.ts'
import type { Desk, Method } from './methods/method.ts'
import { refuse } from './validate.ts'

/** One call of the Web API as it came, and what was answered. */
export interface Call {
  readonly method: string
  readonly args: Fields
  /** epoch ms */
  readonly at: number
  /** null where a fault answered instead */
  readonly reply: Fields | null
}

export interface WebApiNeeds {
  readonly desk: Desk
  readonly faults: Faults
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
  const at = needs.desk.world.now()
  const fault = needs.faults.take(name)
  if (fault !== null && fault.kind !== 'lost' && fault.kind !== 'slow') {
    needs.record({ method: name, args, at, reply: null })
    fail(response, fault)
    return
  }
  const reply = run(name, args, bearer(request) ?? String(token ?? ''), needs)
  needs.record({ method: name, args, at, reply })
  if (fault?.kind === 'lost') {
    response.destroy()
    return
  }
  if (fault !== null) await timer(fault.ms, undefined, { ref: false })
  sendJson(response, 200, reply, { 'x-oauth-scopes': needs.scopes.join(',') })
}

function bearer(request: IncomingMessage): string | undefined {
  return request.headers.authorization?.replace(/^Bearer\s*/, '')
}

function run(name: string, args: Fields, token: string, needs: WebApiNeeds): Fields {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
  if (method === undefined) return refuse('unknown_method', { req_method: name })
  if (token === '') return refuse('not_authed')
  const right = name === 'apps.connections.open' ? needs.appToken : needs.botToken
  if (token !== right) {
    return refuse(token === needs.botToken || token === needs.appToken ? 'not_allowed_token_type' : 'invalid_auth')
  }
  return missing(method, needs.scopes) ?? method.run(args, needs.desk)
}

function missing(method: Method, scopes: readonly string[]): Fields | null {
  if (method.scope === null || scopes.includes(method.scope)) return null
  return refuse('missing_scope', { needed: method.scope, provided: scopes.join(',') })
}

function fail(response: ServerResponse, fault: Exclude<Fault, { readonly kind: 'lost' | 'slow' }>) {
  switch (fault.kind) {
    case 'rate-limited':
      sendJson(response, 429, refuse('ratelimited'), { 'retry-after': String(fault.retryAfter) })
      return
    case 'http':
      response.writeHead(fault.status, { 'content-type': 'text/html' }).end('<h1>Server Error</h1>')
      return
    case 'error':
      sendJson(response, 200, refuse(fault.error))
      return
    case 'reset':
      response.destroy()
      return
  }
}
