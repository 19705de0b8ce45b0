import Bottleneck from 'bottleneck'

import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Clock } from '../domain/ports.ts'

/**
 * At most `atOnce` works at a time and `waiting` more in line; one beyond that is refused with a failure of kind `busy`.
 * Of bottleneck only this is used: its times follow the wall clock and stall when that steps back (trust.md D8).
 */
export function slots(options: { readonly name: string; readonly atOnce: number; readonly waiting: number }): Slots {
  const limiter = new Bottleneck({
    maxConcurrent: options.atOnce,
    highWater: options.waiting,
    strategy: Bottleneck.strategy.OVERFLOW,
  })
  return {
    async run(work) {
      try {
        return ok(await limiter.schedule(work))
      } catch (error) {
        if (!(error instanceof Bottleneck.BottleneckError)) throw error
        return failed({
          kind: 'busy',
          thing: options.name,
          observed: `${options.atOnce} at work and ${options.waiting} waiting already`,
          next: 'ask again in a moment',
        })
      }
    },
  }
}

export interface Slots {
  run<T>(work: () => Promise<T>): Promise<Outcome<T>>
}

/** Lets one through every `everyMs` for each key, in the order in which they came, by the monotonic clock. */
export function pacer(options: PacerOptions): Pacer {
  const { everyMs, clock, sleep = timer } = options
  const free = new Map<string, number>()
  return {
    async pace(key) {
      const now = clock.monotonic()
      for (const [other, at] of free) if (at <= now) free.delete(other)
      const turn = free.get(key) ?? now
      free.set(key, turn + everyMs)
      for (let left = turn - now; left > 0; left = turn - clock.monotonic()) await sleep(left)
    },
  }
}

export interface Pacer {
  /** Resolves when it is this key's turn. */
  pace(key: string): Promise<void>
}

interface PacerOptions {
  readonly everyMs: number
  readonly clock: Clock
  /** for tests; setTimeout otherwise */
  readonly sleep?: (ms: number) => Promise<void>
}

function timer(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
