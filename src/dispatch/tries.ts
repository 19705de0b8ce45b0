import type { Clock } from '../domain/ports.ts'

/** Wrong codes of one person within `WITHIN_MS`, after which that person waits as long. */
const MOST_WRONG = 5
const WITHIN_MS = 15 * 60_000
/** People whose tries are kept; whoever tried longest ago goes first. */
const KEPT_MOST = 1_000

interface Tries {
  /** Whether somebody must wait. */
  paused(person: string): boolean
  /** One more was wrong. */
  note(person: string): void
}

/** Counts wrong codes by the monotonic clock, so that a step of the other one frees nobody. */
export function tries(clock: Pick<Clock, 'monotonic'>): Tries {
  const kept = new Map<string, readonly number[]>()
  const recent = (person: string): readonly number[] => {
    return (kept.get(person) ?? []).filter((at) => clock.monotonic() - at < WITHIN_MS)
  }
  return {
    paused(person) {
      const [oldest, newest] = [kept.get(person)?.at(0), kept.get(person)?.at(-1)]
      if (oldest === undefined || newest === undefined || (kept.get(person)?.length ?? 0) < MOST_WRONG) return false
      return clock.monotonic() - newest < WITHIN_MS
    },
    note(person) {
      const now = [...recent(person), clock.monotonic()]
      kept.delete(person)
      kept.set(person, now.slice(-MOST_WRONG))
      const [first] = kept.keys()
      if (kept.size > KEPT_MOST && first !== undefined) kept.delete(first)
    },
  }
}
