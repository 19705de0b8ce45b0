import type { Complaint } from '../domain/failure.ts'
import { kindOfStatus } from '../domain/refusal-status.ts'
import type { Smoke } from '../domain/smoke.ts'

/** What the engine reads in a refusal; else what the status or an HTML page alone says; null where nobody refused. */
export function complaintOf(smoke: Smoke | undefined): Complaint | null {
  if (smoke?.failure == null) return null
  const { kind, http, observed } = smoke.failure
  if (http?.complaint !== undefined) return http.complaint
  const body = http?.body ?? smoke.exchange?.response ?? ''
  if (isPage(body)) return { kind: 'proxy', message: body }
  if (kind !== 'http-status' || http === undefined) return null
  return { kind: kindOfStatus(http.status), message: body === '' ? observed : body }
}

/** A stream whose answer is whole, with something between that is no JSON: a gateway's doing. */
export function isMangled({ failure, completion }: Smoke): boolean {
  return failure?.kind === 'not-json' && completion !== null && completion.finish !== null
}

function isPage(body: string): boolean {
  return /^\s*<(!doctype|html)/i.test(body)
}
