import { allowedHere } from '../../authorise.ts'
import type { Ask } from '../../domain/ask.ts'
import { called } from '../../domain/called.ts'
import type { Opened } from '../../domain/conversation.ts'
import { sentence } from '../../domain/failure.ts'
import type { Lock } from '../../domain/lock.ts'
import type { OpenPlan } from '../../domain/plan.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import type { Access } from '../../domain/role.ts'
import type { Target } from '../../domain/target.ts'
import type { Call } from '../../parse.ts'
import type { Ending } from '../ending.ts'
import type { House } from '../house.ts'
import type { Run, RunBook } from '../run-book.ts'
import type { Session } from '../session.ts'
import { toolsFor } from '../tools.ts'
import type { Going } from './act.ts'
import { carryThrough } from './act.ts'
import type { Refused } from './obstacles.ts'
import { cappedBy, lockedBy, lockWords, thingsOf, unansweredFor } from './obstacles.ts'
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
  if (plan.seen !== open.seen) {
    const words = `cancelled, since the state changed: the plan saw ${open.seenInWords}, it is ${plan.seenInWords} now`
    return over(open, words, 'state changed')
  }
  const op = house.newId().replaceAll('-', '')
  return underLock({ ...given, call, target, change, plan, tools, op }, house)
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
  const [on] = plan.on
  const lock: Lock = { on, owner: open.person, reason: open.title, at: house.clock.now(), operation: op }
  const taken = await house.store.takeLock(lock)
  if (!taken.ok) return stopped(open, cannotRecord(sentence(taken.failure)), 'lock not recorded')
  if (taken.value !== null) return stopped(open, refusal(lockWords(taken.value, house)), 'locked')
  try {
    const refused = await obstacle(going, house)
    return refused === null ? await carryThrough(going, house) : stopped(open, refused.answer, refused.why)
  } finally {
    await free(lock, house)
  }
}

/** A lock that cannot be taken off now goes at the next start. */
async function free({ on, operation }: Lock, house: House): Promise<void> {
  const dropped = await house.store.dropLock(on, operation)
  if (!dropped.ok) house.log.error('lock of a change not taken off', { on, failure: dropped.failure })
}

/** Under the change's own lock, so that of two at once the second counts the first. */
async function obstacle({ open, plan, target, ask, op }: Going, house: House): Promise<Refused | null> {
  const hands = { people: [open.person, ask.person], operation: op }
  const refused = (await lockedBy(thingsOf(target, plan.on), hands, house)) ?? (await cappedBy(plan, open, house))
  if (refused !== null || !open.terms.breakGlass) return refused
  const lonely = await unansweredFor(open, house)
  if (!('asked' in lonely)) return lonely
  // it is broken once
  const { team, id, name } = ask.person
  const used = await house.store.usePlan(lonely.asked.id, { team, id, name }, house.clock.now())
  if (!used.ok) return { answer: cannotRecord(sentence(used.failure)), why: 'not recorded' }
  return used.value === null ? null : { answer: refusal('Not done: somebody has answered meanwhile.'), why: 'answered' }
}

function over(open: OpenPlan, words: string, why: string, actions: Report['actions'] = [newPlan(open)]): Ending {
  return { decision: 'refused', result: why, report: overReport(open, words, { actions }) }
}
