/** Somebody asked for something, somewhere. Every surface makes the same Ask. */
export interface Ask {
  /** unique, and the same again where a surface delivers the same thing twice */
  readonly id: string
  readonly how: How
  readonly said: Said
  readonly person: Person
  readonly place: Place
  /** the attempt that a button belongs to */
  readonly attempt: string | null
  /** the id of the button that was pressed, where a second press of it does nothing */
  readonly once?: string
  /** epoch ms */
  readonly at: number
}

/** slash: a slash command · mention: `@pilotflame …` · thread: a reply without mention · button · terminal */
export type How = 'slash' | 'mention' | 'thread' | 'button' | 'terminal'

/**
 * What was said. `plain`: text as typed (slash commands, stored lines). `encoded`: Slack event text with entities,
 * links and mentions. `words`: already split by a shell. For a slash command `word` is the command's own name.
 */
export type Said =
  | { readonly form: 'plain'; readonly word: string | null; readonly text: string }
  | { readonly form: 'encoded'; readonly text: string }
  | { readonly form: 'words'; readonly words: readonly string[] }

export interface Person {
  /** Slack team id, or `local` in a terminal */
  readonly team: string
  /** Slack user id, or the login name in a terminal; never a display name */
  readonly id: string
  /** for reading only, never for deciding */
  readonly name: string
  readonly kind: 'member' | 'guest' | 'outsider' | 'bot' | 'local' | 'unknown'
  /** the kind was looked up a while ago and could not be now: good enough to look, not to change anything */
  readonly stale?: boolean
}

export interface Place {
  /** Slack channel id, or `terminal` */
  readonly channel: string
  /** ts of the thread's first message; null outside a thread */
  readonly thread: string | null
}

/** A channel, private channel or direct message of Slack. */
export const CHANNEL_ID = /^[CGD][A-Z0-9]{6,20}$/
