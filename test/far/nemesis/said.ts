import type { GateDelivery } from '../../../src/domain/target.ts'
import type { Gate } from '../box/install.ts'

/** What a bot is told. */
export interface Orders {
  readonly gate: Gate
  /** the delivery by which it works; its name, too */
  readonly by: GateDelivery
  /** file of the leases */
  readonly store: string
  readonly fenced: boolean
  readonly seed: number
}

/** What a bot says of itself. */
export type Said =
  | { readonly said: 'planned' }
  /** `run`: the InvocationID that its plan saw; `result`: `done`, or the kind of the failure */
  | { readonly said: 'tried'; readonly run: string; readonly result: string }

/** How long a bot may work before another one takes its place. */
export const LEASE_MS = 1000
