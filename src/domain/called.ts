import type { Person } from './ask.ts'

/** A person for a sentence: `Anna (U0ANNA)`. Anybody may take another's name, so the id stands beside it. */
export function called({ name, id }: Pick<Person, 'name' | 'id'>): string {
  return name === id || name === '' ? id : `${name} (${id})`
}
