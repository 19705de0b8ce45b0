import type { Outcome } from './outcome.ts'
import type { FollowVerb, Verb } from './verb.ts'

/** A machine as commands see it: verbs and nothing else. Model ports are reached through `Api`. */
export interface Host {
  readonly name: string
  /**
   * Runs one verb to its end. A read that was lost before its answer is asked once more; a change never is: a lost one
   * fails with `lost`, and `opstat` tells what became of `op`.
   */
  run<Args, Result>(verb: Verb<Args, Result>, args: Args, call: Call): Promise<Outcome<Ran<Result>>>
  /** Hands on each line until the verb ends by itself, or the signal stops it, which is no failure. */
  follow<Args, Line>(
    verb: FollowVerb<Args, Line>,
    args: Args,
    onLine: (line: Line) => void,
    signal: AbortSignal,
  ): Promise<Outcome<FollowEnd>>
}

export interface Call {
  readonly signal: AbortSignal
  /** the operation id of a change, 32 hex digits, recorded by the caller before; absent for reads */
  readonly op?: string
}

/** A result and what it cost to get it. */
export interface Ran<Result> {
  readonly value: Result
  /** from asking to the end of the answer, ms */
  readonly tookMs: number
  /** from the host's yes to the command until its first byte: what the account's login shell and the gate cost, ms */
  readonly shellMs: number | null
  /** what login scripts printed before the answer; '' where they kept silent */
  readonly noise: string
}

export interface FollowEnd {
  readonly lines: number
  /** `stopped` by the signal, `over` by itself */
  readonly why: 'stopped' | 'over'
}
