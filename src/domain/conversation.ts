import type { Place } from './ask.ts'
import type { Action, Report } from './report.ts'
import type { Shown } from './shown.ts'
import type { Button } from './store.ts'

/** How dispatch answers one ask on one surface. `end` is called exactly once; nothing here throws. */
export interface Conversation {
  /** where an answer belongs: the thread of a mention, the channel of a command */
  readonly to: Place
  /** names the message whose button was pressed, where others see it too; null: none was */
  readonly pressed: string | null
  /** What was put beside the line: its files, and what stands above it in the thread. Absent where there is no such thing. */
  shown?(signal: AbortSignal): Promise<Shown>
  /** What was said is a command: from now on somebody waits for the answer. */
  understood?(): void
  /**
   * The first sign of long work, with its Stop button. Gives the place that the thread has from now on. `over`: it
   * takes the place of the message whose button was pressed, so that nobody presses there again; where there is none, or
   * Slack does not change it, a new one stands.
   */
  begin(report: Report, offer: Offer, how?: Opening): Promise<Opened>
  /** The latest wins; the surface posts as often as it may. Called only after `begin` has given the place. */
  update(report: Report): void
  /**
   * The answer. Where `begin` was called it becomes that message and its thread. `offer` makes an action pressable. `kept`
   * is called once, when no crash can lose the answer any more: it is on disk, or it was seen. Never where neither came
   * about. Gives the message that has its buttons, where others see it too; null where none stands.
   */
  end(report: Report, offer: Offer, kept?: () => Promise<void>): Promise<string | null>
}

export interface Opening {
  /** the name under which the message can be found, should nobody hear that it stands */
  readonly id?: string
  readonly over?: 'pressed'
}

/** Where a long run is seen. */
export interface Opened {
  readonly place: Place
  /** names the live message, so that a restart can end it; null where none stands */
  readonly message: string | null
}

/**
 * Stores what an action stands for and gives its opaque id; the same id for the same line within one run, so that it
 * may be called for each redraw. Null where it could not be stored: then no button.
 */
export type Offer = (
  action: Pick<Action, 'line' | 'holdsPrompt' | 'attempt' | 'reveals'>,
) => Promise<Button['id'] | null>
