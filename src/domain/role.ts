import type { Ask, Person } from './ask.ts'
import type { Outcome } from './outcome.ts'
import type { Target } from './target.ts'

/** operator: may change servers · admin: that, and who may */
export const ROLES = ['operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** What a person may be, and where that is written. */
export interface Held {
  /** the highest one; null: none */
  readonly role: Role | null
  /** `pilotflame.yml`, `granted by T0:U0ANNA`, `user group S0123ABCD`; '' where there is none */
  readonly from: string
  /** a group or a record that could not be read, in words, so that a role may be missing; null: all were read */
  readonly unsure: string | null
}

/** Whether something may be. A refusal says why, and whom to ask or what would change it, without the last full stop. */
export type Decision = { readonly ok: true } | { readonly ok: false; readonly why: Why; readonly reason: string }

/** Why not, in a word for the records. */
export type Why =
  | 'outsider'
  | 'guest'
  | 'bot'
  | 'unknown person'
  | 'channel not listed'
  | 'shared channel'
  | 'direct message'
  | 'channel unknown'
  | 'no role'

/** One of the questions that decide whether something may be, in their order. */
export interface Step {
  /** person: of which kind · channel: whether it is listed · company: who else looks on · role: what it takes */
  readonly about: 'person' | 'channel' | 'company' | 'role'
  readonly ok: boolean
  /** the answer, as a clause that names no `you`: it is told of others as well */
  readonly says: string
  /** what would change it; '' where it is a yes */
  readonly next: string
}

/** Asks who may what, for people beside the one who asks. */
export interface Who extends Appointments {
  held(person: Pick<Person, 'team' | 'id'>): Promise<Held>
  may(ask: Pick<Ask, 'person' | 'place'>, access: Access): Promise<Decision>
  /** What `may` goes by, also beyond the first no. */
  steps(ask: Pick<Ask, 'person' | 'place'>, access: Access): Promise<readonly Step[]>
  /** The target of that name, where it may be used in that channel. */
  targetIn(channel: string, name: string): Target | null
  /** What the chat tells of a member id; of kind `unknown` where it does not. */
  person(id: Pick<Person, 'team' | 'id'>): Promise<Person>
  /** everybody who was given a role, admins first; bounded as the configuration and `grants` are */
  standings(): Promise<Outcome<readonly Standing[]>>
}

/** One at a time, and each recorded before it is done: two at once never leave nobody in charge. */
export interface Appointments {
  grant(ask: Asking, person: Grant['person'], role: Role): Promise<Outcome<Granted>>
  revoke(ask: Asking, person: Grant['person']): Promise<Outcome<Revoked>>
  /** Makes whoever asks the first admin, by a code of `pilotflame access code`. */
  claim(ask: Asking, code: string): Promise<Outcome<Claimed>>
  /** Voids a code that others have read. */
  spoil(code: string): Promise<Outcome<null>>
}

type Asking = Pick<Ask, 'person' | 'place'>

/** last: of all admins; they stay · full: no more grants are kept */
export type Granted = 'granted' | 'last' | 'full'

/** none: nothing was granted here, so nothing can be taken back here */
export type Revoked = 'revoked' | 'last' | 'none'

/**
 * taken: there is an admin · paused: too many wrong ones, ask again later · used: it made somebody admin before, or others have read it · off: no
 * tokens, no codes
 */
export type Claimed = 'claimed' | 'taken' | 'wrong' | 'expired' | 'used' | 'paused' | 'not a member' | 'off'

/** What a code is. Expired ones are known for an hour. off: there are no codes */
export type CodeState = 'right' | 'expired' | 'wrong' | 'off'

/** A role as somebody or some group has it. */
export interface Standing {
  readonly holder: { readonly kind: 'person' | 'group'; readonly team: string; readonly id: string }
  readonly role: Role
  /** null: it stands in the configuration */
  readonly grant: Grant | null
}

/** anyone: tells nothing of a target (help, whoami) · read: looks · operate: changes a server · admin: changes who may */
export type Access = 'anyone' | 'read' | 'operate' | 'admin'

/** A role that was given in the chat. */
export interface Grant {
  readonly person: Pick<Person, 'team' | 'id'>
  readonly role: Role
  /** who gave it: `TEAM:USER`, or `code` for the first admin */
  readonly by: string
  readonly at: number
}

export interface Grants {
  /** A later one of the same person wins. */
  addGrant(grant: Grant): Promise<Outcome<null>>
  /** What stood there; null: nothing. */
  dropGrant(person: Grant['person']): Promise<Outcome<Grant | null>>
  /** at most 1,000, oldest first */
  grants(): Promise<Outcome<readonly Grant[]>>
}

/** The most grants that are kept and read. */
export const MOST_GRANTS = 1_000

/** What the chat knows of its groups, channels and people. A failure: it does not tell, and then nobody is let in. */
export interface Directory {
  /** user ids of the members of a user group */
  group(id: string): Promise<Outcome<readonly string[]>>
  /** whether people of another organisation are in a channel, or are invited */
  shared(channel: string): Promise<Outcome<boolean>>
  /** somebody of our own workspace by member id */
  person(id: string): Promise<Outcome<Pick<Person, 'kind' | 'name'>>>
}
