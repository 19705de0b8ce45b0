import type { Clock } from '../../../domain/ports.ts'

/** Changes of messages, over all channels: at most 48 within any minute, since Slack takes about 50 (slack.md 6). */
export interface UpdatePace {
  /** ms until a final state may go out; it is counted now */
  final(): number
  /** Whether there is room for progress beside the finals; then it is counted. */
  spare(): boolean
}

/** So many may go at once after a quiet time, and then one every `EVERY_MS`. */
const BURST = 8
const EVERY_MS = 1_500
/** Progress leaves so many of the burst to finals. */
const RESERVE = 4

export function updatePace({ monotonic }: Pick<Clock, 'monotonic'>): UpdatePace {
  let left = BURST
  let at = monotonic()
  function refill(): void {
    const now = monotonic()
    left = Math.min(BURST, left + (now - at) / EVERY_MS)
    at = now
  }
  return {
    final() {
      refill()
      left -= 1
      return left >= 0 ? 0 : Math.ceil(-left * EVERY_MS)
    },
    spare() {
      refill()
      if (left < RESERVE + 1) return false
      left -= 1
      return true
    },
  }
}

const FIRST_MS = 1_000
const LONGEST_MS = 60_000

/** ms until the next try after so many failures: doubled each time, at most a minute. */
export function retryMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1))
}
