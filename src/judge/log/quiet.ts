import type { Evidence } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { HARMLESS_FACTS } from './harmless-facts.ts'
import type { Harmless } from './harmless-signs.ts'
import { HARMLESS_AT_START } from './harmless-signs.ts'
import { signsOf } from './signs.ts'
import { troubleIn } from './trouble.ts'
import { WRAPPERS } from './wrapper-signs.ts'

/** Every line that is known to be harmless. */
export const HARMLESS: readonly Harmless[] = [...HARMLESS_AT_START, ...HARMLESS_FACTS]

/** The lines of it in a log. */
export function harmlessLines(evidence: Evidence): readonly Sign[] {
  return signsOf(evidence, ...HARMLESS.map(({ name }) => name))
}

interface Quiet {
  /** names of further lines that are explained */
  readonly but?: readonly string[]
  /** what stands at or above this line does not count */
  readonly after?: number
}

/** Whether nothing in a log speaks of an error or of a death, besides the lines that are explained. */
export function isQuiet(evidence: Evidence, { but = [], after = 0 }: Quiet = {}): boolean {
  const explained = new Set([...harmlessLines(evidence), ...signsOf(evidence, ...but)].map(({ at }) => at))
  const deaths = signsOf(evidence, ...WRAPPERS.map(({ name }) => name)).filter(({ at }) => !explained.has(at))
  return [...deaths, ...troubleIn(evidence, explained)].every(({ at }) => at <= after)
}
