import type { Place } from './ask.ts'
import type { Code } from './code.ts'
import type { EngineInfo } from './engine.ts'
import type { Diagnosis } from './finding.ts'
import type { Smoke } from './smoke.ts'
import type { Verdict } from './verdict.ts'

/** A smoke that was run in a thread, numbered, with what came out. */
export interface Attempt {
  readonly id: string
  readonly target: string
  readonly place: Place
  /** 1 for the first of its thread */
  readonly number: number
  /** epoch ms */
  readonly at: number
  readonly by: string
  readonly engine: EngineInfo | null
  readonly verdict: Verdict
  readonly code: Code
  /** null once prompts and answers are no longer kept */
  readonly smoke: Smoke | null
  /** goes with the smoke: its evidence may quote the answer */
  readonly diagnosis: Diagnosis | null
}
