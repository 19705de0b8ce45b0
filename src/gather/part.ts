import type { Evidence } from '../domain/finding.ts'
import type { Outcome } from '../domain/outcome.ts'

/** One thing to look at. A new one is one entry in its list. */
export interface Part {
  /** for people: `kernel log` */
  readonly name: string
  readonly limitMs: number
  look(signal: AbortSignal): Promise<Outcome<Found>>
}

export interface Found {
  readonly evidence: Facts
  /** how much it was: `2,000 lines of this run` */
  readonly note?: string
}

/** Evidence besides the smoke. */
export type Facts = Omit<Partial<Evidence>, 'target' | 'smoke'>
