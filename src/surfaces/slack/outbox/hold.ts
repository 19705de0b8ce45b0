import type { Clock } from '../../../domain/ports.ts'

/** Resolves after `ms`, or as soon as the signal is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/** Shut for a time after a refusal or a failure. */
export interface Hold {
  /** Nothing goes through for so long; `least` of it also where it is opened. */
  shutFor(ms: number, least: number): void
  shut(): boolean
  /** True where it was shut and would have been for longer. */
  open(): boolean
  /** Resolves when it is open, or at the end of everything. */
  opened(): Promise<void>
}

interface Options {
  readonly clock: Clock
  readonly pause: Pause
  /** the end of everything */
  readonly signal: AbortSignal
}

export function holdOf({ clock, pause, signal }: Options): Hold {
  let openAt = Number.NEGATIVE_INFINITY
  let leastAt = Number.NEGATIVE_INFINITY
  let bell = new AbortController()
  return {
    shutFor(ms, least) {
      const now = clock.monotonic()
      leastAt = Math.max(leastAt, now + least)
      openAt = Math.max(leastAt, now + ms)
    },
    shut: () => clock.monotonic() < openAt,
    open() {
      const isSooner = openAt > Math.max(leastAt, clock.monotonic())
      openAt = Math.min(openAt, leastAt)
      bell.abort()
      return isSooner
    },
    async opened() {
      for (let left = openAt - clock.monotonic(); left > 0 && !signal.aborted; left = openAt - clock.monotonic()) {
        bell = new AbortController()
        await pause(left, AbortSignal.any([bell.signal, signal]))
      }
    },
  }
}
