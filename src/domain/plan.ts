import type { Person, Place } from './ask.ts'
import type { Thing } from './lock.ts'
import type { Outcome } from './outcome.ts'
import type { Fact, Report } from './report.ts'

/** What a change would do, made by looking. It is shown before anything is done, and made again at the press. */
export interface Plan {
  /** `Restart qwen` */
  readonly title: string
  /** what will happen and what it costs, in a sentence or two */
  readonly effect: string
  /** what was seen */
  readonly facts: readonly Fact[]
  /** what was seen, as one word: where it differs at the press, nothing is done */
  readonly seen: string
  /** the same for people: `active (running), 12 changes by Pilotflame so far` */
  readonly seenInWords: string
  /** where it acts: what nobody else may have locked. It holds the first one itself while it runs */
  readonly on: readonly [Thing, ...Thing[]]
  /** where `opstat` tells what became of it, and the unit's name there */
  readonly host: string | null
  readonly unit: string | null
  /** whether it counts among the restarts that one target may have in a quarter of an hour */
  readonly capped: boolean
}

/** A plan, or why there is none. */
export type Planned = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly answer: Report }

/** What whoever asks for a change says besides what it is. */
export interface Terms {
  /** in quotes, it can be part of a command line again */
  readonly reason: string | null
  /** go on although the target had its restarts for this quarter of an hour; needs a reason */
  readonly force: boolean
  /** go on without the second person, who was asked and did not answer; needs a reason */
  readonly breakGlass: boolean
}

/** A plan that waits for its press. */
export interface OpenPlan {
  readonly id: string
  /** the command line that makes it again, without its terms: the same for all who ask for the same */
  readonly line: string
  readonly terms: Terms
  readonly target: string
  readonly title: string
  /** who asked for it */
  readonly person: Pick<Person, 'team' | 'id' | 'name'>
  readonly place: Place
  readonly seen: string
  readonly seenInWords: string
  /** what it acts on: where the configuration says otherwise at the press, nothing is done */
  readonly on: readonly Thing[]
  readonly host: string | null
  readonly unit: string | null
  /** the approval over whose silence the glass is to be broken; absent: none is */
  readonly silence?: string
  /** own: the person who asked confirms · second: somebody else must approve */
  readonly approval: 'own' | 'second'
  readonly at: number
  /** epoch ms after which the press does nothing */
  readonly expires: number
}

/** Also where the clock was set back: a plan lives no longer than it says. */
export function isOver({ at, expires }: Pick<OpenPlan, 'at' | 'expires'>, now: number): boolean {
  return now < at || now >= expires
}

/** Who pressed, confirming or cancelling. */
export type User = Pick<Person, 'team' | 'id' | 'name'>

export interface KeptPlan extends OpenPlan {
  /** null: nobody yet */
  readonly usedBy: User | null
}

/** A plan that stands somewhere to be pressed. */
export interface PlacedPlan extends KeptPlan {
  /** names the message that has its buttons, in the channel of `place` */
  readonly message: string
  /** when it was used, epoch ms; null: not yet */
  readonly usedAt: number | null
}

export interface Plans {
  addPlan(plan: OpenPlan): Promise<Outcome<null>>
  /** Notes which message has its buttons; null: none has them any more. */
  placePlan(id: string, message: string | null): Promise<Outcome<null>>
  /**
   * Those whose buttons stand although they were used before that moment, or, where nobody used them, their time ended
   * before it; at most 100, oldest first.
   */
  expiredPlans(before: number): Promise<Outcome<readonly PlacedPlan[]>>
  plan(id: string): Promise<Outcome<KeptPlan | null>>
  /** Null for the first who uses it, also when its time is over. For everybody after that, who that was. */
  usePlan(id: string, by: User, at: number): Promise<Outcome<User | null>>
  /**
   * Notes a no to it that was said in another message. Where it was used already, that stays so, and the no counts for what
   * was asked for since. False where there is no such plan any more.
   */
  refusePlan(id: string, by: User, at: number): Promise<Outcome<boolean>>
  /**
   * The newest one that waited for a second person for this line, stood in that channel, and was left unanswered. An answer
   * to any other one of the line, in whatever channel, is an answer to all that were asked for until then.
   */
  unanswered(line: string, channel: string): Promise<Outcome<OpenPlan | null>>
}
