import { called } from '../../domain/called.ts'
import type { OpenPlan, Plan, Terms, User } from '../../domain/plan.ts'
import type { Action, Report } from '../../domain/report.ts'
import { refusal, report } from '../../domain/report.ts'
import { span, utc } from '../../domain/span.ts'
import type { Ending } from '../ending.ts'
import { glassUntil } from './glass.ts'
import { lineWith } from './terms.ts'

/** The plan with its buttons: all that whoever presses must know. */
export function planReport(open: OpenPlan, plan: Plan): Report {
  const { id, title, approval, terms } = open
  const deed = approval === 'second' ? `Approve: ${title}` : title
  return report({
    tone: terms.breakGlass ? 'bad' : 'warning',
    status: 'needs-clarification',
    title: question(open),
    summary: plan.effect,
    lead: `${askedBy(open)} ${whoPresses(open)}`,
    facts: [
      ...plan.facts,
      ...(terms.force ? [{ label: 'Forced', value: 'more than three in 15 min are allowed' }] : []),
    ],
    actions: [
      { label: deed, line: `confirm ${id}`, style: 'danger', pressOnly: true },
      { label: 'Cancel', line: `cancel ${id}`, style: 'plain', pressOnly: true },
    ],
    json: { plan: title, target: open.target, approval, expires: open.expires },
    seenBy: 'channel',
  })
}

function question({ title, approval, terms }: OpenPlan): string {
  if (terms.breakGlass) return `BREAK GLASS: ${title} without a second person?`
  return approval === 'second' ? `${title}? A second person must approve` : `${title}?`
}

function askedBy({ person, terms }: Pick<OpenPlan, 'person' | 'terms'>): string {
  return `Asked by ${called(person)}.${reasonWords(terms)}`
}

function reasonWords({ reason }: Terms): string {
  return reason === null ? '' : ` Reason: “${reason}”.`
}

function whoPresses({ person, approval, at, expires }: OpenPlan): string {
  const time = span(expires - at)
  return approval === 'second'
    ? `Somebody else who may change servers must approve within ${time}; ${called(person)} cannot.`
    : `Only ${called(person)} can confirm, within ${time}.`
}

/** In the place of the plan, from the press on. */
export function runningReport(open: OpenPlan, by: User): Report {
  const lead = hands(open, by)
  return report({
    tone: 'running',
    status: 'running',
    title: `${open.title}: under way`,
    lead,
    seenBy: 'channel',
  })
}

/** Who did it, and on which terms, for the message that stays. */
export function hands(open: Pick<OpenPlan, 'person' | 'terms' | 'approval'>, by: User): string {
  const own = `Asked and confirmed by ${called(by)}.${reasonWords(open.terms)}`
  const who = open.approval === 'second' ? `${askedBy(open)} Approved by ${called(by)}.` : own
  const forced = open.terms.force ? ' Forced: more than three in 15 min were allowed.' : ''
  return `${open.terms.breakGlass ? 'BREAK GLASS: nobody approved this. ' : ''}${who}${forced}`
}

/** The plan is over and nothing was done. */
export function overReport(open: OpenPlan, words: string, given: Partial<Report> = {}): Report {
  return report({
    tone: 'neutral',
    status: 'refused',
    title: `${open.title}: ${words}. Nothing was done.`,
    lead: askedBy(open),
    seenBy: 'channel',
    ...given,
  })
}

/** A command line as people type it there. */
type Typed = (line: string) => string

/** In the place of a plan that nobody pressed in time. */
export function expiredReport(open: OpenPlan, typed: Typed): Report {
  return overReport(open, expiry(open), { summary: askAgain(open, typed) })
}

/** The same as long as the glass may be broken over it. */
export function silentReport(open: OpenPlan, typed: Typed): Report {
  return overReport(open, expiry(open), silence(open, typed))
}

function expiry({ approval, at, expires }: OpenPlan): string {
  const nobody = approval === 'second' ? 'nobody approved it' : 'nobody confirmed it'
  return `expired, since ${nobody} within ${span(expires - at)}`
}

function askAgain({ line, terms }: OpenPlan, typed: Typed): string {
  return `Next: where it is still wanted, ask again: ${typed(lineWith(line, terms))}`
}

/** What may still be done after an approval that nobody answered, and the button that forbids it. */
export function silence(open: OpenPlan, typed: Typed): Pick<Report, 'summary' | 'actions'> {
  const glass = typed(lineWith(open.line, { ...open.terms, reason: 'REASON', breakGlass: true }))
  const until = utc(glassUntil(open))
  return {
    summary: `${askAgain(open, typed)}. Where it cannot wait for a second person, until ${until}: ${glass}. “Say no” forbids that.`,
    actions: [newPlan(open), { label: 'Say no', line: `cancel ${open.id}`, style: 'plain', pressOnly: true }],
  }
}

/** In the place of a plan whose buttons stand although somebody pressed one: nothing came of the press, not even a word. */
export function brokenOffReport(open: OpenPlan, by: User, typed: Typed): Report {
  return overReport(open, `${called(by)} pressed, and Pilotflame was interrupted in that moment`, {
    summary: askAgain(open, typed),
  })
}

/** In the place of a plan over whose silence somebody broke the glass, or forbade it, in another message. */
export function endedReport(open: OpenPlan, by: User): Report {
  return report({
    tone: 'neutral',
    status: 'refused',
    title: `${open.title}: this plan did nothing. ${called(by)} ended the wait for an approval.`,
    summary: 'Where something was done instead, a later message of this channel says so.',
    lead: askedBy(open),
    seenBy: 'channel',
  })
}

/** A button for a new plan of the same, made for whoever presses it. */
export function newPlan({ line, terms }: Pick<OpenPlan, 'line' | 'terms'>): Action {
  return { label: 'New plan', line: lineWith(line, terms), style: 'plain' }
}

/** Where nothing can be recorded, nothing is changed. */
export function cannotRecord(why: string): Report {
  return refusal(`Not done: what cannot be recorded is not done. ${why}`, 'failed')
}

/** The plan is used, and something stood in the way: said where it was pressed, for everybody. */
export function stopped(open: OpenPlan, answer: Report, why: string): Ending {
  const said = { lead: askedBy(open), actions: [newPlan(open)], seenBy: 'channel' } as const
  return { decision: 'refused', result: why, report: { ...answer, ...said } }
}
