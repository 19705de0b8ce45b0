import type { Code } from './code.ts'
import type { EngineInfo } from './engine.ts'
import type { Smoke } from './smoke.ts'
import type { Verdict } from './verdict.ts'

/** Everything gathered about a target at one moment. What is missing is not known. */
export interface Evidence {
  readonly target: { readonly name: string; readonly url: string; readonly host: string | null }
  readonly smoke?: Smoke
  readonly engine?: EngineInfo
}

/** One cause, with the evidence for it and the way out. */
export interface Finding {
  readonly code: Code
  readonly verdict: Verdict
  /** one sentence: what is wrong and why */
  readonly cause: string
  /** the evidence, quoted with its numbers */
  readonly because: readonly string[]
  /** what to do: the exact flag, setting or command, its direction, why */
  readonly remedy: readonly string[]
  readonly confidence: Confidence
  /** another cause that the evidence allows, with the experiment that separates the two */
  readonly unless?: string
  /** evidence that would settle it */
  readonly missing?: readonly string[]
}

export type Confidence = 'certain' | 'likely' | 'possible'

/** A rule looks at the evidence and speaks only where it knows. A new rule is one file and one line in judge/rules/index.ts. */
export interface Rule {
  readonly codes: readonly Code[]
  check(evidence: Evidence): readonly Finding[]
}

/** The outcome of all rules: the leading finding first. Never empty. */
export interface Diagnosis {
  readonly verdict: Verdict
  readonly code: Code
  readonly findings: readonly [Finding, ...Finding[]]
}
