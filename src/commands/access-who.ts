import type { Person } from '../domain/ask.ts'
import type { Tools } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'

type Holder = Pick<Person, 'team' | 'id'>

/** Ids alone decide: `U0123ABCD`, and with its team as the configuration writes it. */
const ID = /^(?:([TE][A-Z0-9]{1,20}):)?([UW][A-Z0-9]{1,20})$/

/** Whether a word may name a person. */
export function isMember(word: string): boolean {
  return ID.test(word)
}

/** Who is meant by a member id: of the team of whoever asks, where none is written. Null: it is none. */
export function memberIn(word: string, { team }: Pick<Person, 'team'>): Holder | null {
  const [, written, id] = ID.exec(word) ?? []
  return id === undefined ? null : { team: written ?? team, id }
}

/** What to say of a word that is no member id. */
export function noMember(word: string): string {
  return `“${excerpt(word, 40)}” is no member id. Next: in Slack open that person’s profile, ⋮, Copy member ID; it begins with U`
}

/** What the chat tells of somebody; of our own team only, since an id means nothing elsewhere. */
export async function lookUp(holder: Holder, { ask, who }: Pick<Tools, 'ask' | 'who'>): Promise<Person> {
  const { team, id } = holder
  return team === ask.person.team ? who.person(holder) : { team, id, name: id, kind: 'outsider' }
}
