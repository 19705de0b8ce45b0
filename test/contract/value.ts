import type { Outcome } from '../../src/domain/outcome.ts'

/** The value of an outcome; its failure ends the test. */
export function value<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure))
  return outcome.value
}

export function failureKind<T>(outcome: Outcome<T>): string | null {
  return outcome.ok ? null : outcome.failure.kind
}
