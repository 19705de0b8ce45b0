import type { Person } from './ask.ts'
import { excerpt } from './excerpt.ts'

/** The longest name, in characters; it may be anything. */
const LONGEST = 40

/** A person for a sentence: `Anna (U0ANNA)`. Anybody may take another's name, so the id stands beside it. */
export function called({ name, id }: Pick<Person, 'name' | 'id'>): string {
  return name === id || name === '' ? id : `${excerpt(name, LONGEST)} (${id})`
}
