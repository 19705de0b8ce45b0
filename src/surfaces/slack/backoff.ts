/** In ms. */
export interface Waits {
  readonly firstWaitMs: number
  readonly longestWaitMs: number
}

/** How long to wait after so many tries, in ms: half of it is left to chance, from 0 to 1, so that not all come at once. */
export function backoff(tries: number, { firstWaitMs, longestWaitMs }: Waits, chance: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 1.5 ** tries) * (0.5 + chance / 2)
}
