import { allowedHere } from '../../authorise.ts'
import type { Ask } from '../../domain/ask.ts'
import { called } from '../../domain/called.ts'
import type { Opened } from '../../domain/conversation.ts'
import { sentence } from '../../domain/failure.ts'
import type { Lock, Thing } from '../../domain/lock.ts'
import type { OpenPlan, Plan } from '../../domain/plan.ts'
import { isOver } from '../../domain/plan.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import type { Access } from '../../domain/role.ts'
import type { Target } from '../../domain/target.ts'
import { isOneUnit } from '../../domain/target.ts'
import type { Call } from '../../parse.ts'
import type { Ending } from '../ending.ts'
import type { House } from '../house.ts'
import type { Run, RunBook } from '../run-book.ts'
import type { Session } from '../session.ts'
import { toolsFor } from '../tools.ts'
import type { Going } from './act.ts'
import { carryThrough } from './act.ts'
import type { Refused } from './obstacles.ts'
import { cappedBy, lockedBy, lockInWords, lockWords, thingsOf, unansweredFor } from './obstacles.ts'
import { cannotRecord, newPlan, overReport, stopped } from './words.ts'

interface Confirmed {
  readonly open: OpenPlan
  /** its line, read again; null: the house has no such command any more */
  readonly call: Call | null
  /** the press */
  readonly ask: Ask
  readonly run: Run
  readonly talk: Session
  readonly opened: Opened
}

/** Looks once more, and does it where everything still is as it was shown. Whoever pressed may, and pressed first. */
export async function confirm(given: Confirmed, house: House, runs: RunBook): Promise<Ending> {
  const { open, call, ask, run, talk } = given
  const target = house.targets.find(({ name }) => name === open.target)
  const access = call?.command.access ?? 'operate'
  const change = call?.bound.work.kind === 'change' ? call.bound.work : null
  if (
    call === null ||
    change === null ||
    target === undefined ||
    !allowedHere(ask.place.channel, target.name, house.policy)
  ) {
    return over(open, `${open.target} may not be changed in this way here any more`, 'gone', [])
  }
  const unfit = await unfitNow(given, target, access, house)
  if (unfit !== null) return unfit
  const tools = toolsFor({ ask, target, run, talk }, house, runs)
  const again = await change.plan(tools)
  if (!again.ok) return stopped(open, again.answer, `not planned again: ${again.answer.title}`)
  const { plan } = again
  const changed = changedSince(open, plan)
  if (changed !== null) return changed
  const op = house.newId().replaceAll('-', '')
  return underLock({ ...given, call, target, change, plan, tools, op }, house)
}

/** It must be the same thing in the same state. A state alone may be that of another unit. */
function changedSince(open: OpenPlan, plan: Plan): Ending | null {
  if (whereabouts(open) !== whereabouts(plan)) {
    const words = `cancelled, since the configuration changed: the plan was for ${where(open)}, it would be ${where(plan)} now`
    return over(open, words, 'configuration changed')
  }
  if (plan.seen === open.seen) return null
  const words = `cancelled, since the state changed: the plan saw ${open.seenInWords}, it is ${plan.seenInWords} now`
  return over(open, words, 'state changed')
}

type Whereabouts = Pick<OpenPlan, 'on' | 'host' | 'unit'>

function whereabouts({ on, host, unit }: Whereabouts): string {
  return JSON.stringify([host, unit, on.map(({ kind, name }) => [kind, name])])
}

function where({ host, unit, on }: Whereabouts): string {
  return unit === null || host === null ? on.map(({ name }) => name).join(', ') : `unit ${unit} on ${host}`
}

/** Who asked must still be somebody who may; whether a second person is wanted is decided anew. */
async function unfitNow(
  { open, ask }: Confirmed,
  target: Target,
  access: Access,
  house: House,
): Promise<Ending | null> {
  if (open.approval === 'second') {
    const person = await house.who.person(open.person)
    const allowed = await house.who.may({ person, place: ask.place }, access)
    const words = `cancelled, since ${called(open.person)}, who asked, may not do this any more`
    return allowed.ok ? null : over(open, words, `asker: ${allowed.why}`, [])
  }
  if (!target.protected || open.terms.breakGlass) return null
  return over(open, `${target.name} is protected now, so a second person must approve`, 'protected now')
}

async function underLock(going: Going, house: House): Promise<Ending> {
  const { open, plan, op } = going
  const on = oneNameOf(plan.on[0], house)
  const [reason, { channel }] = [open.title, open.place]
  const lock: Lock = { on, owner: open.person, reason, channel, at: house.clock.now(), operation: op }
  const taken = await house.store.takeLock(lock)
  if (!taken.ok) return stopped(open, cannotRecord(sentence(taken.failure)), 'lock not recorded')
  if (taken.value !== null)
    return stopped(open, refusal(lockWords(taken.value, going.ask.place.channel, house)), lockInWords(taken.value))
  try {
    const refused = await obstacle(going, house)
    return refused === null ? await carryThrough(going, house) : stopped(open, refused.answer, refused.why)
  } finally {
    await free(lock, house)
  }
}

/** Two changes of one unit must not stand beside each other under two of its names: all take the lock by the first. */
function oneNameOf(on: Thing, { targets }: House): Thing {
  const target = targets.find(({ name }) => on.kind === 'target' && name === on.name)
  const first = target === undefined ? undefined : targets.find((one) => isOneUnit(one, target))
  return first === undefined ? on : { kind: 'target', name: first.name }
}

/** A lock that cannot be taken off now goes at the next start. */
async function free({ on, operation }: Lock, house: House): Promise<void> {
  const dropped = await house.store.dropLock(on, operation)
  if (!dropped.ok) house.log.error('lock of a change not taken off', { on, failure: dropped.failure })
}

/** Under the change's own lock, so that of two at once the second counts the first. */
async function obstacle({ open, plan, target, ask, op }: Going, house: House): Promise<Refused | null> {
  const hands = { channel: ask.place.channel, people: [open.person, ask.person], operation: op }
  const refused =
    (await lockedBy(thingsOf(target, house, plan.on), hands, house)) ?? (await cappedBy(plan, open, house))
  if (refused !== null) return refused
  // however long Slack, the host or the store took since the press
  if (isOver(open, house.clock.now())) return TOO_LATE
  if (!open.terms.breakGlass) return null
  const lonely = await unansweredFor(open, house)
  if (!('asked' in lonely)) return lonely
  // it is broken once
  const { team, id, name } = ask.person
  const used = await house.store.usePlan(lonely.asked.id, { team, id, name }, house.clock.now())
  if (!used.ok) return { answer: cannotRecord(sentence(used.failure)), why: 'not recorded' }
  return used.value === null ? null : { answer: refusal('Not done: somebody has answered meanwhile.'), why: 'answered' }
}

const TOO_LATE: Refused = {
  answer: refusal('Not done: it took so long that the plan has expired meanwhile.'),
  why: 'expired',
}

function over(open: OpenPlan, words: string, why: string, actions: Report['actions'] = [newPlan(open)]): Ending {
  return { decision: 'refused', result: why, report: overReport(open, words, { actions }) }
}
