import { needsNo } from '../dispatch/change/glass.ts'
import { brokenOffReport, endedReport, expiredReport, silentReport } from '../dispatch/change/words.ts'
import { readable } from '../domain/outcome.ts'
import type { PlacedPlan, Plans, User } from '../domain/plan.ts'
import type { Clock, Log } from '../domain/ports.ts'
import type { Report } from '../domain/report.ts'

export interface Expiring {
  readonly store: Pick<Plans, 'plan' | 'expiredPlans' | 'placePlan' | 'unanswered'>
  readonly clock: Pick<Clock, 'now'>
  /** when this process began, ms since 1970: its own presses tell of themselves, however slow the machine is */
  readonly since: number
  readonly log: Log
  /** a command line as people type it in this workspace */
  typed(line: string): string
  /** Makes the plan's message say that it is over, with the buttons that are left. False where it can not. */
  tell(plan: PlacedPlan, report: Report): Promise<boolean>
  /** aborted at a stop: then the next start tells the rest */
  readonly signal: AbortSignal
}

/** By then a press in the last moment is in the store, and a run that tells of it; in ms after a plan's end or its use. */
const LAST_PRESS_MS = 5_000

/**
 * Gives one pass over the plans that nobody pressed in time, and those whose press an end of Pilotflame broke off: each loses its buttons,
 * once. An approval that nobody answered keeps a no, as long as the glass may be broken over it. A pass under way is the
 * only one.
 */
export function planExpiry(expiring: Expiring): () => Promise<void> {
  let underWay: Promise<void> | null = null
  /** those whose message has only its no; told again after a restart, at most as many as expire at once */
  const silent = new Set<string>()
  return () => {
    underWay ??= pass(expiring, silent).finally(() => {
      underWay = null
    })
    return underWay
  }
}

async function pass(expiring: Expiring, silent: Set<string>): Promise<void> {
  const { store, clock, log, signal } = expiring
  if (signal.aborted) return
  const expired = await store.expiredPlans(clock.now() - LAST_PRESS_MS)
  if (!expired.ok) log.error('expired plans not read', { failure: expired.failure })
  const plans = readable(expired)
  // somebody said no in the message itself
  for (const id of silent) if (expired.ok && !plans.some((plan) => plan.id === id)) silent.delete(id)
  for (const plan of plans) {
    if (signal.aborted) return
    if (plan.usedBy === null) await end(plan, silent, expiring)
    else await endUsed(plan, plan.usedBy, expiring)
  }
}

async function endUsed(plan: PlacedPlan, by: User, expiring: Expiring): Promise<void> {
  const { approval, usedAt, expires } = plan
  // whoever lets the glass be broken, or forbids it, does so in another message, and after the time of the approval
  const isElsewhere = approval === 'second' && usedAt !== null && usedAt >= expires
  if (isElsewhere) return close(plan, endedReport(plan, by), expiring)
  if (usedAt !== null && usedAt >= expiring.since) return
  await close(plan, brokenOffReport(plan, by, expiring.typed), expiring)
}

/** The plan stays unused: an approval that nobody answered counts for breaking the glass. */
async function end(plan: PlacedPlan, silent: Set<string>, expiring: Expiring): Promise<void> {
  const { store, clock, typed } = expiring
  const waits = await needsNo(plan, clock.now(), store)
  if (waits && silent.has(plan.id)) return
  // somebody pressed while others were told
  if ((await userOf(plan, store)) !== null) return
  if (!waits) return close(plan, expiredReport(plan, typed), expiring)
  silent.add(plan.id)
  await say(plan, silentReport(plan, typed), expiring)
  // a no that came while Slack was told may have lost its message to the button
  const by = await userOf(plan, store)
  if (by !== null) await close(plan, endedReport(plan, by), expiring)
}

async function userOf({ id }: PlacedPlan, store: Expiring['store']): Promise<User | null> {
  const now = await store.plan(id)
  return now.ok ? (now.value?.usedBy ?? null) : null
}

async function close(plan: PlacedPlan, report: Report, expiring: Expiring): Promise<void> {
  const { store, log } = expiring
  await say(plan, report, expiring)
  const gone = await store.placePlan(plan.id, null)
  if (!gone.ok) log.error('where a plan stands is not noted', { failure: gone.failure })
}

/** A message that cannot be changed now is gone, or its channel is: it is not tried again. */
async function say(plan: PlacedPlan, report: Report, { tell, log }: Expiring): Promise<void> {
  if (!(await tell(plan, report))) log.warn('an expired plan keeps its buttons', { id: plan.id })
}
