import type { Place } from './ask.ts'
import type { Outcome } from './outcome.ts'

/** Something that must be seen in a chat, kept until it surely is. */
export interface Letter {
  /** also written into the message's metadata, by which a lost answer is found again */
  readonly id: string
  /** the ask that it answers: where this row stands the ask is settled, whatever else a crash left undone */
  readonly ask?: string
  readonly place: Place
  /** the message to change; null: a new one */
  readonly ts: string | null
  /** the surface's own form of it, as JSON */
  readonly content: string
  /** one line for a digest */
  readonly title: string
  readonly at: number
  /** when a sending began whose end was never heard; null: none */
  readonly sentAt: number | null
}

export interface Letters {
  /** All of these, or none. */
  addLetter(...letters: readonly Letter[]): Promise<Outcome<null>>
  /** Notes that a sending begins, before it does; null: it surely did not arrive. */
  markLetter(id: string, sentAt: number | null): Promise<Outcome<null>>
  dropLetter(id: string): Promise<Outcome<null>>
  /** all that wait, oldest first, at most 10,000 */
  letters(): Promise<Outcome<readonly Letter[]>>
}
