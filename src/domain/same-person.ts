import type { Person } from './ask.ts'

type Ids = Pick<Person, 'team' | 'id'>

/** Ids alone decide, and an id means nothing outside its team. */
export function isSamePerson(one: Ids, other: Ids): boolean {
  return one.team === other.team && one.id === other.id
}
