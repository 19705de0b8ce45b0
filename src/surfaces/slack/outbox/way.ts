import type { Clock } from '../../../domain/ports.ts'
import type { Refusal } from '../refusal.ts'
import type { Pause } from './hold.ts'
import { holdOf } from './hold.ts'
import type { Step } from './lane.ts'

export interface Trouble {
  /** epoch ms, and the same moment in monotonic ms */
  readonly since: number
  readonly at: number
  readonly failures: number
  readonly refusal: Refusal
}

/** For what Slack orders to wait. */
export interface Limit {
  readonly refusal: Refusal
  /** ms that are left */
  readonly ms: number
}

/** The way from a lane to Slack. */
export interface Way {
  /** What keeps the lane from Slack; null where Slack is reached. */
  trouble(): Trouble | null
  /** For what Slack orders to wait; null where it does not. */
  limit(): Limit | null
  /** Slack was reached elsewhere: the next try is at once, but only once within the lane's own wait. */
  wake(): void
  /** What one try came to. */
  tried(step: Step): void
  /** Nothing is known to be in trouble any more. */
  cleared(): void
  hold(refusal: Refusal): void
  /** Nothing goes for so many ms, unless it is opened. */
  shutFor(ms: number): void
  open(): void
  shut(): boolean
  /** Resolves when the next may go, or at the end of everything. */
  opened(): Promise<void>
}

interface Options {
  readonly clock: Clock
  readonly pause: Pause
  /** the end of everything */
  readonly signal: AbortSignal
}

export function wayOf(options: Options): Way {
  const { clock } = options
  const hold = holdOf(options)
  let trouble: Trouble | null = null
  let limited: { readonly refusal: Refusal; readonly until: number } | null = null
  let woken = false

  function wait({ refusal, down, ms: waits, least }: Extract<Step, { readonly kind: 'wait' }>): void {
    const worse = worseThan(trouble, refusal, clock)
    const ms = waits(worse.failures)
    hold.shutFor(ms, woken ? ms : least)
    if (down) trouble = worse
    else limited = { refusal, until: clock.monotonic() + ms }
  }

  return {
    trouble: () => trouble,
    limit() {
      const ms = limited === null ? 0 : limited.until - clock.monotonic()
      return limited === null || ms <= 0 ? null : { refusal: limited.refusal, ms }
    },
    wake() {
      if (trouble !== null && hold.open()) woken = true
    },
    tried(step) {
      if (step.kind === 'wait') wait(step)
      else if (step.reached) trouble = null
      woken = false
    },
    cleared() {
      trouble = null
    },
    hold(refusal) {
      hold.shutFor(refusal.waitMs, refusal.waitMs)
      limited = { refusal, until: clock.monotonic() + refusal.waitMs }
    },
    shutFor: (ms) => hold.shutFor(ms, 0),
    open: () => void hold.open(),
    shut: hold.shut,
    opened: hold.opened,
  }
}

function worseThan(before: Trouble | null, refusal: Refusal, { now, monotonic }: Clock): Trouble {
  const { since, at, failures } = before ?? { since: now(), at: monotonic(), failures: 0 }
  return { since, at, failures: failures + 1, refusal }
}
