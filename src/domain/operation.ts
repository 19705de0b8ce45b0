import type { Person, Place } from './ask.ts'
import type { Outcome } from './outcome.ts'

/** A change to the world. Recorded before it is done, so that a crash leaves a trace of it. */
export interface Operation {
  /** 32 hex digits; the host records the same */
  readonly id: string
  /** `sglang restart` */
  readonly command: string
  readonly target: string
  /** where `opstat` tells what became of it */
  readonly host: string | null
  readonly unit: string | null
  /** who asked, and who said yes where that was somebody else */
  readonly person: Pick<Person, 'team' | 'id' | 'name'>
  readonly approver: Pick<Person, 'team' | 'id' | 'name'> | null
  readonly place: Place
  /** the message that tells of it; null where none stands */
  readonly message: string | null
  readonly capped: boolean
  /** whether whoever asked insisted on it, however many there were in that quarter of an hour */
  readonly forced: boolean
  readonly reason: string | null
  readonly at: number
  /** issuing: begun, its end is not known here · done · failed: surely without effect · unknown: nobody knows */
  readonly state: 'issuing' | 'done' | 'failed' | 'unknown'
}

export interface Operations {
  addOperation(operation: Operation): Promise<Outcome<null>>
  endOperation(id: string, state: Exclude<Operation['state'], 'issuing'>): Promise<Outcome<null>>
  /** those that were begun and whose end was never written; at most 100, oldest first */
  openOperations(): Promise<Outcome<readonly Operation[]>>
  /** the capped ones of a target, or of its unit by another name, from that moment on that may have had an effect, oldest first */
  restartsSince(of: Pick<Operation, 'target' | 'host' | 'unit'>, at: number): Promise<Outcome<readonly Operation[]>>
}
