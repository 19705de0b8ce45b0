import type { Ask } from '../../domain/ask.ts'
import type { Change, Changed, Tools } from '../../domain/command.ts'
import type { Opened } from '../../domain/conversation.ts'
import { sentence } from '../../domain/failure.ts'
import type { Operation } from '../../domain/operation.ts'
import { ok } from '../../domain/outcome.ts'
import type { OpenPlan, Plan } from '../../domain/plan.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import type { Target } from '../../domain/target.ts'
import type { Call } from '../../parse.ts'
import type { Ending } from '../ending.ts'
import type { House } from '../house.ts'
import type { Session } from '../session.ts'
import type { Fate } from './fate.ts'
import { fateOf, fateReport } from './fate.ts'
import { cannotRecord, hands, stopped } from './words.ts'

/** A plan at work: what it was, and what it is now. */
export interface Going {
  readonly open: OpenPlan
  /** the same, made again at the press */
  readonly plan: Plan
  readonly call: Call
  readonly change: Change
  readonly target: Target
  /** the press */
  readonly ask: Ask
  readonly tools: Tools
  readonly talk: Session
  readonly opened: Opened
  /** the operation's id */
  readonly op: string
}

/** Records it, does it, and gives the way to record how it ended. A crash before that leaves a trace: the next start asks the host. */
export async function carryThrough(going: Going, house: House): Promise<Ending> {
  const { open, talk } = going
  const operation = operationOf(going, house)
  const kept = await house.store.addOperation(operation)
  if (!kept.ok) return stopped(open, cannotRecord(sentence(kept.failure)), 'operation not recorded')
  await talk.recorded()
  const { state, report, final } = await settled(await act(going, house), operation, going, house)
  const who = hands(open, going.ask.person)
  const lead = report.lead === '' ? who : `${report.lead} ${who}`
  const told: Report = { ...report, lead, seenBy: 'channel' }
  return {
    decision: 'allowed',
    result: `${state}: ${report.title}`,
    report: told,
    async finish() {
      // the next start asks a host that could not be asked now
      const ended = final ? await house.store.endOperation(operation.id, state) : ok(null)
      if (!ended.ok) house.log.error('end of a change not recorded', { id: operation.id, failure: ended.failure })
    },
  }
}

function operationOf({ open, plan, call, ask, op, opened }: Going, house: House): Operation {
  const { team, id, name } = ask.person
  return {
    id: op,
    command: [call.command.word, call.command.verb ?? ''].join(' ').trim(),
    target: open.target,
    host: plan.host,
    unit: plan.unit,
    person: open.person,
    approver: open.approval === 'second' ? { team, id, name } : null,
    place: opened.place,
    message: opened.message,
    capped: plan.capped,
    forced: open.terms.force,
    reason: open.terms.reason,
    at: house.clock.now(),
    state: 'issuing',
  }
}

/** A bug in a command must leave neither its lock nor a record without an end. */
async function act({ change, plan, tools, op, open }: Going, house: House): Promise<Changed> {
  try {
    // what was begun is not broken off half way by a stop of Pilotflame; its verbs have deadlines of their own
    return await change.act(plan, { ...tools, signal: new AbortController().signal, op })
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    house.log.error('bug while changing', { error: said })
    return { state: 'unknown', report: refusal(`${open.title}: Pilotflame itself failed in the middle.`, 'failed') }
  }
}

/** What it came to, and whether that is all that will ever be known of it. */
type Settled = Changed & Pick<Fate, 'final'>

/** Where the answer was lost, the host is asked at once what became of it. */
async function settled(changed: Changed, operation: Operation, { open }: Going, house: House): Promise<Settled> {
  if (changed.state !== 'unknown') return { ...changed, final: true }
  const fate = await fateOf(operation, house.host, new AbortController().signal)
  const { facts, actions } = changed.report
  const report: Report = { ...fateReport(open.title, changed.report.title, fate), facts, actions }
  return { state: fate.state, report, final: fate.final }
}
