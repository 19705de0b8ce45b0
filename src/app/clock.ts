import type { Clock } from '../domain/ports.ts'

/** The machine's own clocks. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }
