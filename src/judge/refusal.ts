import type { Complaint, Failure } from '../domain/failure.ts'
import { readJson } from '../domain/json.ts'
import { kindOfStatus } from '../domain/refusal-status.ts'
import type { Smoke } from '../domain/smoke.ts'
import { quoted } from './answer.ts'

/** What the engine reads in a refusal; else what the status or an HTML page alone says; null where nobody refused. */
export function complaintOf(smoke: Smoke | undefined): Complaint | null {
  if (!hasFailed(smoke)) return null
  const complaint = read(smoke.failure, bodyOf(smoke))
  if (complaint === null) return null
  return { kind: kindOf(complaint, statusOf(smoke)), message: textOf(complaint.message) }
}

/** What a gateway refuses, or a port that speaks TLS, says more than that it does so in a page. */
function kindOf({ kind, message }: Complaint, status: number | null): Complaint['kind'] {
  if (wantsTls(message)) return 'route'
  if (kind !== 'proxy' && kind !== 'route') return kind
  if (status === 401 || status === 403) return 'auth'
  return status === 429 ? 'overloaded' : kind
}

/** What nginx and Go's servers answer to plain HTTP. */
export function wantsTls(message: string): boolean {
  return /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server/i.test(message)
}

function read({ kind, http }: Failure, body: string): Complaint | null {
  if (http?.complaint !== undefined) return http.complaint
  if (isPage(body)) return { kind: 'proxy', message: body }
  if (kind !== 'http-status' || http === undefined) return null
  return { kind: kindOfStatus(http.status), message: body }
}

/** What a server sent in place of an answer. */
export function bodyOf({ failure, exchange }: Smoke): string {
  return failure?.http?.body ?? exchange?.response ?? ''
}

/** The status of such an answer. */
export function statusOf({ failure, exchange }: Smoke): number | null {
  return failure?.http?.status ?? exchange?.status ?? null
}

/** `target qwen (http://127.0.0.1:30000) answered HTTP 401: “Unauthorized”` */
export function saidNo(smoke: Smoke & { readonly failure: Failure }, message: string): string {
  const { kind, thing, observed } = smoke.failure
  const status = statusOf(smoke)
  const words = message.trim() === '' ? ', without a word' : `: ${quoted(message, 200)}`
  if (kind === 'stream-error') return `${thing} sent an error inside its answer${words}`
  return status === null ? `${thing}: ${observed}` : `${thing} answered HTTP ${status}${words}`
}

/** Whether no whole answer came. */
export function hasFailed(smoke: Smoke | undefined): smoke is Smoke & { readonly failure: Failure } {
  return smoke !== undefined && smoke.failure !== null
}

/** A stream of chat events with something between that is no JSON: a gateway's doing. */
export function isMangled({ failure, completion }: Smoke): boolean {
  return failure?.kind === 'not-json' && completion !== null
}

/** JSON that ends in its middle. */
export function isCutJson({ failure, exchange }: Smoke): boolean {
  const text = exchange?.response ?? ''
  if (failure?.kind !== 'not-json' || !/^\s*[[{]/.test(text)) return false
  const parsed = readJson(text)
  return !parsed.ok && parsed.problem === 'not-json'
}

export function isPage(body: string): boolean {
  return /^\s*<(!doctype|html)/i.test(body)
}

/** The words of a page without its marks; of anything else all of it. */
export function textOf(body: string): string {
  return isPage(body) ? body.replace(/<[^>]{0,500}>/g, ' ') : body
}
