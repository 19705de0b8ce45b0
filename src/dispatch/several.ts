import type { Place } from '../domain/ask.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Store } from '../domain/store.ts'

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
