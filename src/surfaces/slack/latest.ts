import type { Clock, Log } from '../../domain/ports.ts'

/** Shows the latest of many values, seldom enough; older ones that waited are never shown. */
export interface Latest<T> {
  push(value: T): void
  /** Nothing more is begun after this. What is being shown is not waited for: the end must not be late for its sake. */
  stop(): Promise<void>
}

interface Options<T> {
  readonly show: (value: T) => Promise<void>
  /** ms until the next showing */
  readonly turn: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly log: Log
}

export function latest<T>({ show, turn, sleep, log }: Options<T>): Latest<T> {
  let waiting: { readonly value: T } | null = null
  let awake = false
  let stopped = false

  async function work(): Promise<void> {
    awake = true
    for (;;) {
      await sleep(turn())
      if (stopped || waiting === null) break
      const { value } = waiting
      waiting = null
      await show(value).catch((error: unknown) =>
        log.error('A showing failed inside the bot', { error: String(error) }),
      )
    }
    awake = false
  }

  return {
    push(value) {
      if (stopped) return
      waiting = { value }
      if (!awake) void work()
    },
    async stop() {
      stopped = true
    },
  }
}

/** After a quiet time the first update comes this soon, so that a short run is seen to live; in ms. */
const FIRST_MS = 1_000

/** Turns for all messages together, `gapMs` apart: about 20 updates a minute however much runs. */
export function turns(clock: Clock, gapMs: number): () => number {
  let last = Number.NEGATIVE_INFINITY
  return () => {
    const now = clock.monotonic()
    last = Math.max(now + FIRST_MS, last + gapMs)
    return last - now
  }
}
