import { allowedHere } from '../authorise.ts'
import type { Place } from '../domain/ask.ts'
import { ALL } from '../domain/command.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Store } from '../domain/store.ts'
import type { Call } from '../parse.ts'
import type { House } from './house.ts'

/** The targets of a thread that is about several: it has attempts, and is bound to none of them. Else none. */
export async function severalIn(
  place: Place,
  store: Pick<Store, 'threadTarget' | 'attemptTargets'>,
): Promise<Outcome<readonly string[]>> {
  if (place.thread === null) return ok([])
  const bound = await store.threadTarget(place)
  if (!bound.ok) return failed(bound.failure)
  return bound.value === null ? store.attemptTargets(place) : ok([])
}

/** The targets that a call names behind --on and that may be used there; nothing else that was typed. Null: none. */
export function namedIn({ raw }: Call, channel: string, { targets, policy }: House): string | null {
  const words = (raw.flags['on'] ?? '').split(',')
  const all = words.some((word) => word.toLowerCase() === ALL)
  const meant = targets.filter(({ name }) => (all || words.includes(name)) && allowedHere(channel, name, policy))
  return meant.length === 0 ? null : meant.map(({ name }) => name).join(', ')
}
