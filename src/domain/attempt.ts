import type { Place } from './ask.ts'
import type { EngineInfo } from './engine.ts'
import type { Diagnosis } from './finding.ts'
import type { Smoke } from './smoke.ts'

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
  /** null once prompts and answers are no longer kept */
  readonly smoke: Smoke | null
  readonly engine: EngineInfo | null
  readonly diagnosis: Diagnosis
}
