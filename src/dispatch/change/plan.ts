import type { Change, Tools } from '../../domain/command.ts'
import { sentence } from '../../domain/failure.ts'
import type { OpenPlan, Plan } from '../../domain/plan.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import type { Target } from '../../domain/target.ts'
import type { Call } from '../../parse.ts'
import { lineOf } from '../../parse.ts'
import type { Ending } from '../ending.ts'
import type { House } from '../house.ts'
import { APPROVAL_MS } from './glass.ts'
import type { Refused } from './obstacles.ts'
import { cappedBy, lockedBy, thingsOf, unansweredFor } from './obstacles.ts'
import { termsOf } from './terms.ts'
import { cannotRecord, planReport } from './words.ts'

/** How long a plan waits for its press, in ms. */
const LIFE_MS = { own: 60_000, second: APPROVAL_MS } as const

/** Looks, and shows what would be done with a button that does it. Nothing is changed. */
export async function propose(call: Call, change: Change, tools: Tools, house: House): Promise<Ending> {
  const { target } = tools
  const read = termsOf(call.raw, house.redact)
  if (target === null) return no(refusal('No target was chosen, so nothing can be planned.', 'usage'), 'no target')
  if (!read.ok) return no(refusal(read.problem, 'usage'), 'usage')
  const line = lineOf(call.command, { ...read.rest, flags: { ...read.rest.flags, target: target.name } })
  const asked = { line, target: target.name, terms: read.terms, place: tools.ask.place }
  const locked = await lockedBy(thingsOf(target, house), handsOf(tools), house)
  if (locked !== null) return no(locked.answer, locked.why)
  const planned = await change.plan(tools)
  if (!planned.ok) return no(planned.answer, planned.answer.title)
  const looked = await obstacle(planned.plan, asked, target, tools, house)
  if ('why' in looked) return no(looked.answer, looked.why)
  return show(openPlan(planned.plan, { ...asked, ...looked }, target, tools, house), planned.plan, house)
}

type Asked = Pick<OpenPlan, 'line' | 'target' | 'terms' | 'place' | 'silence'>

function handsOf({ ask }: Tools) {
  return { channel: ask.place.channel, people: [ask.person], operation: null }
}

/** What stands in the way; where nothing does, the silence over which the glass is to be broken. */
async function obstacle(
  plan: Plan,
  asked: Asked,
  target: Target,
  tools: Tools,
  house: House,
): Promise<Refused | Pick<Asked, 'silence'>> {
  const locked = await lockedBy(thingsOf(target, house, plan.on), handsOf(tools), house)
  const refused = locked ?? (await cappedBy(plan, asked, house))
  if (refused !== null) return refused
  if (!asked.terms.breakGlass) return {}
  if (!target.protected) {
    const words = `Not done: ${target.name} needs no approval. Next: leave --break-glass out; --reason "TEXT" says why.`
    return { answer: refusal(words, 'usage'), why: 'nothing to break' }
  }
  const lonely = await unansweredFor({ ...asked, title: plan.title }, house)
  return 'asked' in lonely ? { silence: lonely.asked.id } : lonely
}

function openPlan(plan: Plan, asked: Asked, target: Target, { ask }: Tools, house: House): OpenPlan {
  const { team, id, name } = ask.person
  const approval = target.protected && !asked.terms.breakGlass ? 'second' : 'own'
  const at = house.clock.now()
  const { title, seen, seenInWords, on, host, unit } = plan
  const when = { at, expires: at + LIFE_MS[approval] }
  return {
    ...asked,
    id: house.newId(),
    title,
    person: { team, id, name },
    ...{ seen, seenInWords, on, host, unit },
    approval,
    ...when,
  }
}

/** A plan that cannot be recorded gets no button. */
async function show(open: OpenPlan, plan: Plan, house: House): Promise<Ending> {
  const kept = await house.store.addPlan(open)
  if (!kept.ok) return no(cannotRecord(sentence(kept.failure)), 'plan not recorded')
  const terms = [
    open.approval,
    ...(open.terms.force ? ['forced'] : []),
    ...(open.terms.breakGlass ? ['break-glass'] : []),
  ]
  const reason = open.terms.reason === null ? '' : `: ${open.terms.reason}`
  return {
    decision: 'allowed',
    result: `asked (${terms.join(', ')})${reason}`,
    report: planReport(open, plan),
    async stands(message) {
      const placed = await house.store.placePlan(open.id, message)
      if (!placed.ok) house.log.error('where a plan stands is not noted', { failure: placed.failure })
    },
  }
}

function no(report: Report, result: string): Ending {
  return { decision: 'refused', result, report }
}
