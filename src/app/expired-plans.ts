import { expiredReport } from '../dispatch/change/words.ts'
import { readable } from '../domain/outcome.ts'
import type { PlacedPlan, Plans } from '../domain/plan.ts'
import type { Clock, Log } from '../domain/ports.ts'
import type { Report } from '../domain/report.ts'

export interface Expiring {
  readonly store: Pick<Plans, 'plan' | 'expiredPlans' | 'placePlan'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** a command line as people type it in this workspace */
  typed(line: string): string
  /** Makes the plan's message say that it is over. False where it can not. */
  tell(plan: PlacedPlan, report: Report): Promise<boolean>
  /** aborted at a stop: then the next start tells the rest */
  readonly signal: AbortSignal
}

/** A press in the last moment is in the store by then, in ms after a plan's end. */
const LAST_PRESS_MS = 5_000

/** Gives one pass over the plans that nobody pressed in time: each loses its buttons, once. A pass under way is the only one. */
export function planExpiry(expiring: Expiring): () => Promise<void> {
  let underWay: Promise<void> | null = null
  return () => {
    underWay ??= pass(expiring).finally(() => {
      underWay = null
    })
    return underWay
  }
}

async function pass(expiring: Expiring): Promise<void> {
  const { store, clock, log, signal } = expiring
  if (signal.aborted) return
  const expired = await store.expiredPlans(clock.now() - LAST_PRESS_MS)
  if (!expired.ok) log.error('expired plans not read', { failure: expired.failure })
  for (const plan of readable(expired)) {
    if (signal.aborted) return
    await end(plan, expiring)
  }
}

/** The plan stays unused: an approval that nobody answered counts for breaking the glass. */
async function end(plan: PlacedPlan, { store, log, typed, tell }: Expiring): Promise<void> {
  const now = await store.plan(plan.id)
  // somebody pressed while others were told
  if (now.ok && now.value !== null && now.value.usedBy !== null) return
  // a message that cannot be changed now is gone, or its channel is: it is not tried again
  if (!(await tell(plan, expiredReport(plan, typed)))) log.warn('an expired plan keeps its buttons', { id: plan.id })
  const gone = await store.placePlan(plan.id, null)
  if (!gone.ok) log.error('where a plan stands is not noted', { failure: gone.failure })
}
