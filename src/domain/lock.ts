import type { Person } from './ask.ts'
import type { Outcome } from './outcome.ts'

/** What can be locked. Whoever locks a host locks the targets on it as well. */
export interface Thing {
  readonly kind: 'host' | 'target'
  readonly name: string
}

/** A lock forbids changes to everybody but its owner; looking stays allowed. */
export interface Lock {
  readonly on: Thing
  readonly owner: Pick<Person, 'team' | 'id' | 'name'>
  readonly reason: string
  /** the channel where it was taken */
  readonly channel: string
  readonly at: number
  /** the change that holds it while it runs; null: a person did, and it stays until somebody takes it off */
  readonly operation: string | null
}

/**
 * A lock that cannot be read counts as one that stands. A person's and a change's stand beside each other, so that the
 * owner of a lock can change things under it.
 */
export interface Locks {
  /** Null: it is ours now. Otherwise nothing was done, and this one of the same sort stands. */
  takeLock(lock: Lock): Promise<Outcome<Lock | null>>
  /** Takes off a person's lock (null), or that operation's own, and gives what stood there. */
  dropLock(on: Thing, operation: string | null): Promise<Outcome<Lock | null>>
  /** all of them, oldest first */
  locks(): Promise<Outcome<readonly Lock[]>>
}
