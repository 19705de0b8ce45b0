import { allowedHere } from '../../authorise.ts'
import { called } from '../../domain/called.ts'
import { sentence } from '../../domain/failure.ts'
import type { Lock, Thing } from '../../domain/lock.ts'
import type { OpenPlan, Plan } from '../../domain/plan.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import { isSamePerson } from '../../domain/same-person.ts'
import { ago, span } from '../../domain/span.ts'
import type { Target } from '../../domain/target.ts'
import { isOneUnit } from '../../domain/target.ts'
import type { House } from '../house.ts'
import { APPROVAL_MS, isBreakable } from './glass.ts'

/** Why a change may not be made now; null where it may. */
export type Obstacle = Promise<Refused | null>

export interface Refused {
  readonly answer: Report
  /** for the audit */
  readonly why: string
}

/** All that must be free: what the plan acts on, the target by all names of its unit, and its host. */
export function thingsOf(target: Target, { targets }: House, on: readonly Thing[] = []): readonly Thing[] {
  const host: readonly Thing[] = target.host === null ? [] : [{ kind: 'host', name: target.host }]
  const others = targets.filter((one) => isOneUnit(one, target))
  const names = [target, ...others].map(({ name }) => ({ kind: 'target', name }) as const)
  return [...on, ...names, ...host]
}

interface Hands {
  /** where it is wanted; a lock of what is not used there is not told in full */
  readonly channel: string
  /** those who want it: under a lock of their own they may go on */
  readonly people: readonly Lock['owner'][]
  /** the change's own lock is none for it; null: it has none yet */
  readonly operation: string | null
}

/** A lock of somebody else, or of another change. One that cannot be read counts as one that stands. */
export async function lockedBy(
  things: readonly Thing[],
  { channel, people, operation }: Hands,
  house: House,
): Obstacle {
  const read = await house.store.locks()
  if (!read.ok) {
    const why = `Not done: the locks cannot be read, so everything counts as locked. ${sentence(read.failure)}`
    return { answer: refusal(why, 'failed'), why: 'locks not read' }
  }
  const own = (lock: Lock) =>
    lock.operation === null ? people.some((one) => isSamePerson(one, lock.owner)) : lock.operation === operation
  const lock = read.value.find((one) => things.some((thing) => isOn(one, thing)) && !own(one))
  return lock === undefined ? null : { answer: refusal(lockWords(lock, channel, house)), why: lockInWords(lock) }
}

/** For the audit: which lock it was. */
export function lockInWords({ on, owner, operation }: Lock): string {
  const what = on.kind === 'host' ? `host ${on.name}` : on.name
  return operation === null
    ? `${what} is locked by ${called(owner)}`
    : `another change of ${what}, asked for by ${called(owner)}, is under way`
}

function isOn(lock: Lock, thing: Thing): boolean {
  return lock.on.kind === thing.kind && lock.on.name === thing.name
}

/** Why nothing is done while this lock stands, and what would change that. */
export function lockWords({ on, owner, at, reason, operation }: Lock, channel: string, house: House): string {
  const since = ago(house.clock.now() - at)
  if (!isUsedIn(channel, on, house)) {
    const what = operation === null ? 'was locked' : 'is being changed'
    return `Not done: the same server ${what} under a name that is not used here, by ${called(owner)} ${since}. Next: ask ${called(owner)}`
  }
  if (operation !== null) {
    return `Not done: another change of ${on.name} is under way (${reason}, asked for by ${called(owner)} ${since}). Next: wait until it has ended, then ask again.`
  }
  const unlock = on.kind === 'host' ? `gpu unlock ${on.name}` : `sglang unlock ${on.name}`
  return `Not done: ${on.name} was locked by ${called(owner)} ${since}: “${reason}”. Next: ask ${called(owner)}, or take it off with ${house.slash.typed(unlock)}`
}

function isUsedIn(channel: string, { kind, name }: Thing, { targets, policy }: House): boolean {
  const meant = targets.filter((one) => (kind === 'host' ? one.host : one.name) === name)
  return meant.some((one) => allowedHere(channel, one.name, policy))
}

/** Changes of this sort that one unit may have within `CAP_MS`; more would hide what is wrong with it. */
const CAP = 3
const CAP_MS = 15 * 60_000

/** The target, by whatever name, had its restarts for this quarter of an hour, and nobody insists. */
export async function cappedBy(
  { capped, title, host, unit }: Pick<Plan, 'capped' | 'title' | 'host' | 'unit'>,
  { target, terms }: Pick<OpenPlan, 'target' | 'terms'>,
  house: House,
): Obstacle {
  if (!capped || terms.force) return null
  const now = house.clock.now()
  const had = await house.store.restartsSince({ target, host, unit }, now - CAP_MS)
  if (!had.ok) {
    const why = `Not done: how often ${target} was restarted cannot be read. ${sentence(had.failure)}`
    return { answer: refusal(why, 'failed'), why: 'restarts not read' }
  }
  const oldest = had.value.at(-CAP)
  if (oldest === undefined) return null
  const free = span(oldest.at + CAP_MS - now)
  const why = `Not done (${title}): ${target} had ${had.value.length} restarts in the last 15 min, and more of them seldom help. Next: find out why it needs them; the next one is free in ${free}. If it must be now: --force --reason "TEXT".`
  return { answer: refusal(why), why: 'capped' }
}

/** Breaking the glass where nobody was asked, or where somebody may still answer. Gives what was left unanswered. */
export async function unansweredFor(
  { line, title, place }: Pick<OpenPlan, 'line' | 'title' | 'place'>,
  house: House,
): Promise<{ readonly asked: OpenPlan } | Refused> {
  const read = await house.store.unanswered(line, place.channel)
  const no = (words: string, why: string): Refused => ({ answer: refusal(`Not done: ${words}`), why })
  if (!read.ok) return no(`whether somebody was asked cannot be read. ${sentence(read.failure)}`, 'approvals not read')
  const asked = read.value
  const now = house.clock.now()
  if (asked === null || !isBreakable(asked, now)) {
    const next = `Next: ask without --break-glass first: ${house.slash.typed(line)}`
    return no(
      `no approval of “${title}” was asked for here and left unanswered in the last 30 min. ${next}`,
      'nobody was asked',
    )
  }
  const age = now - asked.at
  if (age < APPROVAL_MS) {
    const left = span(APPROVAL_MS - age)
    return no(`approval was asked for ${ago(age)}. Next: wait ${left} more for somebody to answer.`, 'too early')
  }
  return { asked }
}
