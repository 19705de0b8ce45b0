import type { GateReply } from './gate.ts'
import type { Outcome } from './outcome.ts'

/**
 * One thing that may be done on a host, by name with checked arguments; the only way to run anything there. The script
 * deploy/host/pilotflame-gate knows the same verbs. A new one is a file in domain/verbs/, a line in its index, and a
 * function in the gate.
 */
export interface Verb<Args, Result> {
  /** as the gate knows it: `gpu-processes` */
  readonly name: string
  /** `operate` changes the host */
  readonly access: 'read' | 'operate'
  /** for the whole run, in ms; the gate's own limit lies below it */
  readonly deadlineMs: number
  /** The words after the operation id. Each must pass `isWord`; the host refuses what does not. */
  words(args: Args): readonly string[]
  /** Reads what the gate sent. A refusal of the gate has become a failure before. */
  parse(reply: GateReply, args: Args): Outcome<Result>
}

/** A verb that goes on until it is stopped or its time is over, line by line. */
export interface FollowVerb<Args, Line> {
  readonly name: string
  readonly access: 'read'
  readonly deadlineMs: number
  words(args: Args): readonly string[]
  /** One line of output; null where it is nothing that anybody asked for. */
  readLine(text: string, args: Args): Line | null
}

/** What may travel as one word to the gate: nothing in it means anything to a shell. */
export function isWord(text: string): boolean {
  return /^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,199}$/.test(text)
}

/** The gate refuses a longer line, in bytes. */
export const LONGEST_LINE = 400
