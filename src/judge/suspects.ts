import type { Code } from '../domain/code.ts'
import type { Evidence } from '../domain/finding.ts'
import { knownBad } from '../knowledge/index.ts'
import { becauseOf, remedyOf } from './known.ts'
import { servedOf } from './served.ts'

/** A known fault of an engine's version that makes a model compute wrongly. */
export interface Suspect {
  /** what of the evidence fits */
  readonly because: string
  readonly remedy: readonly string[]
}

/** The first that the knowledge has of what serves; what is only reported, or not known, accuses nobody. */
export function suspectOf(evidence: Evidence): Suspect | null {
  const served = servedOf(evidence)
  if (served === null) return null
  const known = knownBad(served, evidence.taught).filter(({ standing }) => standing !== 'reported')
  const fact = known.find(({ code }) => SPOILS_TEXT.has(code))
  if (fact === undefined) return null
  return {
    because: becauseOf(fact, served),
    remedy: remedyOf(fact, served, evidence.installed?.driver ?? null),
  }
}

/** Faults that show in the text itself. */
export const SPOILS_TEXT: ReadonlySet<Code> = new Set([
  'model.immediate-eos',
  'model.degenerate-loop',
  'model.nan-logits',
  'model.gibberish',
  'model.kernel-bug',
  'model.kv-quant',
  'model.spec-desync',
  'model.tp-comm-suspect',
  'model.weights-misloaded',
  'template.wrong',
])
