import type { Fact } from '../../domain/report.ts'
import { cut, lengthOf } from './cut.ts'
import { oneLine } from './escape.ts'

/** Code points of the facts that stand in the headline. */
const LINE = 80
const GAP = '  ·  '

/** The first facts, as many as one line of the headline holds. */
function keyFacts(facts: readonly Fact[]): readonly Fact[] {
  let room = LINE + GAP.length
  const over = facts.findIndex((fact) => {
    room -= lengthOf(said(fact)) + GAP.length
    return room < 0
  })
  return over === -1 ? facts : facts.slice(0, over)
}

/** Whether that line says them all; else they stand in a table. */
export function saysAll(facts: readonly Fact[]): boolean {
  return keyFacts(facts).length === facts.length
}

/** That line; empty where not even the first fits. */
export function factsLine(facts: readonly Fact[]): string {
  return keyFacts(facts).map(said).join(GAP)
}

/** One more than the line holds is enough to see that a fact does not fit. */
function said({ label, value }: Fact): string {
  return cut(oneLine(`${label}: ${value}`), LINE + 1)
}
