import type { Rule } from '../domain/finding.ts'
import type { Fact } from '../domain/knowledge.ts'

/** The rules of a house that knows more than we do: each of them sees what its team taught. */
export function withTaught(rules: readonly Rule[], taught: readonly Fact[]): readonly Rule[] {
  if (taught.length === 0) return rules
  return rules.map((rule) => ({ ...rule, check: (evidence) => rule.check({ ...evidence, taught }) }))
}
