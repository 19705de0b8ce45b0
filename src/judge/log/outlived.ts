import type { Evidence } from '../../domain/finding.ts'
import type { LogEvidence, Sign } from '../../domain/signature.ts'
import { signsOf } from './signs.ts'

/** The lines of these signatures after which no server became ready: what they tell still stands. */
export function standing(evidence: Evidence, ...names: readonly string[]): readonly Sign[] {
  const { log } = evidence
  return log === undefined ? [] : signsOf(evidence, ...names).filter(({ at }) => !outlived(log, at))
}

/**
 * Whether a server became ready after this line: then what the line tells belongs to a start before, or was got over.
 * A server that answers in the place of another one is no such proof; the rule of taken ports knows that trap.
 */
function outlived(log: LogEvidence, at: number): boolean {
  return log.signs.some(({ name, at: line }) => name === 'stage-ready' && line > at)
}
