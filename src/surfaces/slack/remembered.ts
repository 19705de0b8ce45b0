import type { Outcome } from '../../domain/outcome.ts'
import { failed } from '../../domain/outcome.ts'
import type { Clock } from '../../domain/ports.ts'

interface Ages {
  /** how long an answer is taken as it is, in ms from the moment it was asked for */
  readonly freshMs: number
  /** the same for a failure, so that an outage is not asked at every turn */
  readonly failedMs: number
  /** until then it is handed over with a failure as its `partial`, in ms; 0: never */
  readonly staleMs: number
}

interface Kept<T> {
  readonly answer: Promise<Outcome<T>>
  readonly until: number
}

/** Keys that are remembered; whatever was asked longest ago goes first. */
const KEPT_MOST = 1_000

/** Asks once for each key and remembers the answer for a while. Who comes meanwhile waits for the same one. */
export function remembered<T>(
  ask: (key: string) => Promise<Outcome<T>>,
  { freshMs, failedMs, staleMs }: Ages,
  clock: Pick<Clock, 'monotonic'>,
): (key: string) => Promise<Outcome<T>> {
  const fresh = new Map<string, Kept<T>>()
  const good = new Map<string, { readonly value: T; readonly at: number }>()

  async function look(key: string, at: number): Promise<Outcome<T>> {
    const answer = await ask(key)
    const now = clock.monotonic()
    if (answer.ok) {
      put(good, key, { value: answer.value, at })
      return answer
    }
    const before = good.get(key)
    const lasts = before !== undefined && now - before.at < staleMs
    const failure = lasts ? failed<T>(answer.failure, before.value) : failed<T>(answer.failure)
    // a failure counts from its end: it may have taken longer than it is kept
    put(fresh, key, { answer: Promise.resolve(failure), until: now + failedMs })
    return failure
  }

  return (key) => {
    const now = clock.monotonic()
    const known = fresh.get(key)
    if (known !== undefined && now < known.until) return known.answer
    const answer = look(key, now)
    put(fresh, key, { answer, until: now + freshMs })
    return answer
  }
}

function put<V>(into: Map<string, V>, key: string, value: V): void {
  into.delete(key)
  into.set(key, value)
  const [first] = into.keys()
  if (into.size > KEPT_MOST && first !== undefined) into.delete(first)
}
