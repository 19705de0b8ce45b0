import Bottleneck from 'bottleneck'

import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed } from '../domain/outcome.ts'
import type { Api, Clock } from '../domain/ports.ts'

/** One way to a target for all who ask it: 8 requests at once, 32 more in line. A stream is a request until it ends. */
export function inTurn<A extends Api>(name: string, api: A): A {
  const { run } = slots({ name, atOnce: 8, waiting: 32 })
  return {
    ...api,
    json: (request, signal) => run(() => api.json(request, signal), signal),
    text: (request, signal) => run(() => api.text(request, signal), signal),
    events: (request, onEvent, signal) => run(() => api.events(request, onEvent, signal), signal),
  }
}

/**
 * At most `atOnce` works at a time and `waiting` more in line; one beyond that is refused with a failure of kind `busy`.
 * Who is aborted in line leaves it at once; a work that has begun heeds the signal itself. The line is counted here, since
 * bottleneck keeps the place of one who left until its turn comes.
 */
export function slots({ name, atOnce, waiting }: Limits): Slots {
  // with minTime 0 bottleneck stands still for as long as the wall clock was set back (trust.md, bottleneck)
  const limiter = new Bottleneck({ maxConcurrent: atOnce, minTime: Number.NEGATIVE_INFINITY })
  let inside = 0
  let most = atOnce
  return {
    async run(work, signal) {
      if (inside >= most + waiting) return failed(busy(name, most, waiting))
      const gone = Promise.withResolvers<Outcome<never>>()
      const leave = () => gone.resolve(failed(stopped(name)))
      const stay = () => signal.removeEventListener('abort', leave)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      const turn = () => {
        stay()
        return signal.aborted ? gone.promise : work()
      }
      inside += 1
      try {
        return await Promise.race([gone.promise, limiter.schedule(turn)])
      } finally {
        inside -= 1
        stay()
      }
    },
    shrink(to) {
      if (to >= most) return
      most = to
      limiter.updateSettings({ maxConcurrent: to })
    },
  }
}

export interface Slots {
  /** Lets fewer work at once from now on; those at work go on. */
  shrink(to: number): void
  run<T>(work: () => Promise<Outcome<T>>, signal: AbortSignal): Promise<Outcome<T>>
}

interface Limits {
  readonly name: string
  readonly atOnce: number
  readonly waiting: number
}

function busy(thing: string, atOnce: number, waiting: number): Failure {
  return {
    kind: 'busy',
    thing,
    observed: `${atOnce} requests of ours at work and ${waiting} waiting already`,
    next: 'ask again in a moment',
  }
}

function stopped(thing: string): Failure {
  return {
    kind: 'stopped',
    thing,
    observed: 'stopped on request, before it was its turn',
    next: 'ask again when it is wanted',
  }
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
