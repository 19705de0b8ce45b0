import type { Evidence } from '../../src/domain/finding.ts'
import type { Exchange } from '../../src/domain/smoke.ts'

const EXCHANGE: Exchange = { url: '', request: '{}', status: 200, headers: {}, response: '{}', end: 'eof' }

/** The same evidence where this was sent, or came back, over the wire. */
export function asking(evidence: Evidence, sent: object, change: Partial<Exchange> = {}): Evidence {
  const { smoke } = evidence
  if (smoke === undefined) return evidence
  return { ...evidence, smoke: { ...smoke, exchange: { ...EXCHANGE, request: JSON.stringify(sent), ...change } } }
}

/** The same evidence where somebody knows this besides. */
export function knowing(evidence: Evidence, ...told: readonly string[]): Evidence {
  return { ...evidence, told }
}
