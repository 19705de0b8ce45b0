import type { Complaint } from './failure.ts'

/** What an HTTP status alone means, where the body says nothing that is known (sglang.md 1.5, 2.4). */
export function kindOfStatus(status: number): Complaint['kind'] {
  if (status === 401) return 'auth'
  // every engine asks for its key with 401: a bare 403 is a rule about who may come here, or by which name
  if (status === 403 || status === 404 || status === 405) return 'route'
  // no engine says so; gateways do, of a prompt that is too long
  if (status === 413) return 'context'
  if (status === 429) return 'overloaded'
  if (status === 502 || status === 504) return 'proxy'
  if (status === 503) return 'not-ready'
  return status < 500 ? 'schema' : 'server'
}
