import type { Person, Place } from './ask.ts'
import type { Attempt } from './attempt.ts'
import type { Letters } from './letter.ts'
import type { Locks } from './lock.ts'
import type { Inbox } from './open-ask.ts'
import type { Operations } from './operation.ts'
import type { Outcome } from './outcome.ts'
import type { Pages } from './page.ts'
import type { Plans } from './plan.ts'
import type { Grants } from './role.ts'

/** What outlives a restart. All calls are asynchronous, all times epoch ms, all ids text. A failure is of kind `store`. */
export interface Store extends Inbox, Letters, Locks, Operations, Pages, Plans, Grants, Notes {
  /** Binds a thread to a target; a later call wins. */
  bindThread(place: Place, target: string, at: number): Promise<Outcome<null>>
  threadTarget(place: Place): Promise<Outcome<string | null>>
  /** Keeps an attempt and gives it the next number of its thread. */
  addAttempt(attempt: Omit<Attempt, 'number'>): Promise<Outcome<Attempt>>
  attempt(id: string): Promise<Outcome<Attempt | null>>
  /** the newest of a thread; null: whatever its target */
  lastAttempt(place: Place, target: string | null): Promise<Outcome<Attempt | null>>
  /** the one of that number in a thread */
  numberedAttempt(place: Place, number: number): Promise<Outcome<Attempt | null>>
  /** the targets of a thread's attempts, each once, by name; at most 200 */
  attemptTargets(place: Place): Promise<Outcome<readonly string[]>>
  addButton(button: Button): Promise<Outcome<null>>
  button(id: string): Promise<Outcome<Button | null>>
  /** True for the first who uses it, false ever after. */
  useButton(id: string, at: number): Promise<Outcome<boolean>>
  /** Notes a run whose message lives, until `dropRun`: what is still noted after a crash was interrupted. A later one wins. */
  addRun(run: OpenRun): Promise<Outcome<null>>
  dropRun(id: string): Promise<Outcome<null>>
  /** at most 100, oldest first */
  openRuns(): Promise<Outcome<readonly OpenRun[]>>
  addAudit(entry: Audit): Promise<Outcome<null>>
  audits(limit: number): Promise<Outcome<readonly Audit[]>>
  /** Drops what is older than its keeping time; prompts and answers first. */
  prune(before: Keeping): Promise<Outcome<Pruned>>
  close(): Promise<void>
}

/** Small things that are worth knowing after a restart. */
export interface Notes {
  /** A later value of the same key wins; null forgets it. */
  note(key: string, value: string | null): Promise<Outcome<null>>
  noted(key: string): Promise<Outcome<string | null>>
}

/** What a button stands for. The chat sees only its id. */
export interface Button {
  readonly id: string
  /** a command line of the house */
  readonly line: string
  readonly attempt: string | null
  readonly place: Place
  readonly at: number
  /** whether a second press does nothing */
  readonly once: boolean
  /** epoch ms after which it does nothing */
  readonly expires: number
}

/** A run that was under way. */
export interface OpenRun {
  readonly id: string
  readonly place: Place
  /** the id of the ask that it answers; absent in the records of older versions */
  readonly ask?: string
  /** names the message that lives; null: it was about to be posted, under this run's id */
  readonly message: string | null
  readonly target: string | null
  readonly at: number
  /** the change that it was about to begin; gone once the change has a record of its own */
  readonly change?: OpenChange
}

/** A change whose plan is confirmed, and that nothing is done for yet. */
export interface OpenChange {
  /** `Restart qwen` */
  readonly title: string
  /** `sglang restart` */
  readonly command: string
  /** who asked for it */
  readonly person: Pick<Person, 'team' | 'id' | 'name'>
  readonly reason: string | null
}

/** Who asked for what, and what became of it. Written also when it was refused. */
export interface Audit {
  readonly at: number
  /** the id of the ask; absent in the records of older versions, and where Pilotflame found something by itself */
  readonly ask?: string
  readonly person: Pick<Person, 'team' | 'id'>
  readonly place: Place
  /** the command's name, never a prompt */
  readonly command: string
  readonly target: string | null
  readonly decision: 'allowed' | 'refused'
  readonly result: string
}

/** Epoch ms: everything of a sort before its moment goes; a button by the moment at which it expired. */
export interface Keeping {
  readonly prompts: number
  readonly attempts: number
  readonly buttons: number
  readonly keys: number
  /** asks that are not settled */
  readonly asks: number
  /** what waits for a chat */
  readonly letters: number
}

/** How much went that somebody may still miss. */
export interface Pruned {
  readonly asks: number
  readonly letters: number
}
