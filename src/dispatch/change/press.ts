import type { Ask } from '../../domain/ask.ts'
import { called } from '../../domain/called.ts'
import type { Conversation, Opened } from '../../domain/conversation.ts'
import { sentence } from '../../domain/failure.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { KeptPlan } from '../../domain/plan.ts'
import { isOver } from '../../domain/plan.ts'
import { refusal } from '../../domain/report.ts'
import type { Audit } from '../../domain/store.ts'
import type { Target } from '../../domain/target.ts'
import type { Call } from '../../parse.ts'
import { parse } from '../../parse.ts'
import { audit } from '../audit.ts'
import type { Ending } from '../ending.ts'
import type { House } from '../house.ts'
import type { Run, RunBook } from '../run-book.ts'
import type { Session } from '../session.ts'
import { session } from '../session.ts'
import { confirm } from './confirm.ts'
import { needsNo } from './glass.ts'
import type { Denial } from './right.ts'
import { denied, pressedBy } from './right.ts'
import { cannotRecord, newPlan, overReport, runningReport, silence, stopped } from './words.ts'

/** A press on one of the two buttons of a plan. */
export interface Press {
  readonly deed: 'confirm' | 'cancel'
  /** the plan's id */
  readonly id: string
}

/** Reads the line behind a plan's button. Only a press means it: nobody can type it. */
export function pressOf({ how, said }: Ask): Press | null {
  if (how !== 'button' || said.form !== 'plain') return null
  const [, deed, id = ''] = /^(confirm|cancel) ([\w-]{1,64})$/.exec(said.text) ?? []
  return deed === 'confirm' || deed === 'cancel' ? { deed, id } : null
}

interface Pressed extends Press {
  readonly open: KeptPlan
  readonly target: Target | null
  /** null: the house has no such command any more */
  readonly call: Call | null
  readonly ask: Ask
  readonly talk: Session
  /** the message of the button, where others see it too; null: only who pressed does */
  readonly message: string | null
}

/** Who may press it, once, in time, in its place; then it is done or cancelled, in the message that was pressed. */
export async function press(
  given: Press,
  { ask, talk }: { readonly ask: Ask; readonly talk: Conversation },
  house: House,
  runs: RunBook,
): Promise<void> {
  const found = await house.store.plan(given.id)
  const open = found.ok ? found.value : null
  const target = house.targets.find(({ name }) => name === open?.target) ?? null
  const seen = session(ask, talk, house, target)
  if (!found.ok) {
    await audit(
      { ask, command: null, target: null, decision: 'refused', result: `${given.deed}: plan not read` },
      house,
    )
    await seen.end(refusal(`Nothing was done. ${sentence(found.failure)}`, 'failed'))
    return
  }
  if (open === null) {
    await audit({ ask, command: null, target: null, decision: 'refused', result: `${given.deed}: no such plan` }, house)
    await seen.end(refusal('That plan is not known any more. Nothing was done. Next: ask again.'))
    return
  }
  const pressed = { ...given, open, target, call: callOf(open, ask, house), ask, talk: seen, message: talk.pressed }
  const run = runs.open(house.newId(), null, seen.place)
  if (run === 'busy' || run === 'stopping') return deny(pressed, STOPPING, house)
  try {
    await decide(pressed, run, house, runs)
  } finally {
    runs.close(run)
  }
}

const STOPPING: Denial = {
  words: 'Pilotflame is being stopped, so nothing was done. Next: ask again in a minute.',
  why: 'stopping',
}

/** The plan's own line, read again. */
function callOf(open: KeptPlan, ask: Ask, house: House): Call | null {
  const parsed = parse({ ...ask, said: { form: 'plain', word: null, text: open.line } }, house.commands)
  return parsed.kind === 'call' ? parsed : null
}

async function decide(pressed: Pressed, run: Run, house: House, runs: RunBook): Promise<void> {
  const { open, ask, deed } = pressed
  const denial = await denied(pressed, house)
  if (denial !== null) return deny(pressed, denial, house)
  // a no is a no, however late
  if (deed === 'confirm' && isOver(open, house.clock.now())) return expire(pressed, house)
  const { team, id, name } = ask.person
  const used = await house.store.usePlan(open.id, { team, id, name }, house.clock.now())
  if (!used.ok) {
    const words = `Nothing was done: what cannot be recorded is not done. ${sentence(used.failure)}`
    return deny(pressed, { words, why: 'not recorded' }, house)
  }
  if (used.value !== null) return deny(pressed, { words: pressedBy(used.value), why: 'used' }, house)
  return deed === 'cancel' ? cancel(pressed, house) : carryOut(pressed, run, house, runs)
}

/** Told to the one who pressed; the plan stays for whoever may press it. */
async function deny(pressed: Pressed, { words, why }: Denial, house: House): Promise<void> {
  await note(pressed, { decision: 'refused', result: `${pressed.deed}: ${why}` }, house)
  await pressed.talk.end(refusal(words))
}

/** The message loses its buttons but the no. It stays unused: an approval that nobody answered counts for breaking the glass. */
async function expire(pressed: Pressed, house: House): Promise<void> {
  const { open, talk } = pressed
  // somebody may have pressed in the last moment, while this press was weighed
  const again = await house.store.plan(open.id)
  const by = again.ok ? again.value?.usedBy : null
  if (by) return deny(pressed, { words: pressedBy(by), why: 'used' }, house)
  await note(pressed, { decision: 'refused', result: `${pressed.deed}: expired` }, house)
  const over = overReport(open, 'too late, the plan has expired')
  const waits = await needsNo(open, house.clock.now(), house.store)
  const rest = waits ? silence(open, house.slash.typed) : { actions: [newPlan(open)] }
  await talk.takeOver(over)
  const stands = await talk.end({ ...over, ...rest })
  await place(open, waits ? (stands ?? pressed.message) : null, house)
}

async function cancel(pressed: Pressed, house: House): Promise<void> {
  const { open, ask, talk } = pressed
  await note(pressed, { decision: 'allowed', result: 'cancelled' }, house)
  const summary = open.terms.breakGlass ? await spare(pressed, house) : ''
  const over = overReport(open, `cancelled by ${called(ask.person)}`, { status: 'done', summary })
  // its message says so from here on, also where the no came late
  await talk.takeOver(over, { noted: () => place(open, null, house) })
  await talk.end(over)
}

/** A no to the broken glass is the answer to the approval that had none: nobody breaks it again. Says where that failed. */
async function spare({ open, ask }: Pressed, house: House): Promise<string> {
  if (open.silence === undefined) return UNSPARED
  const { team, id, name } = ask.person
  const refused = await house.store.refusePlan(open.silence, { team, id, name }, house.clock.now())
  return refused.ok && refused.value ? '' : UNSPARED
}

const UNSPARED =
  'This no could not be recorded, so the glass may be asked for again. Next: a lock keeps everybody else from changing it.'

async function place({ id }: KeptPlan, message: string | null, house: House): Promise<void> {
  const placed = await house.store.placePlan(id, message)
  if (!placed.ok) house.log.error('where a plan stands is not noted', { failure: placed.failure })
}

async function carryOut(pressed: Pressed, run: Run, house: House, runs: RunBook): Promise<void> {
  const { open, ask, call, talk } = pressed
  const yes = open.approval === 'second' ? 'approved' : 'confirmed'
  const kept = await note(pressed, { decision: 'allowed', result: yes }, house)
  const [opened, freed] = await takenOver(pressed, house)
  const recorded = kept.ok ? freed : kept
  const { report, finish, ...came }: Ending = recorded.ok
    ? await confirm({ open, call, ask, run, talk, opened }, house, runs)
    : stopped(open, cannotRecord(sentence(recorded.failure)), kept.ok ? 'press not kept' : 'audit line not kept')
  await note(pressed, came, house)
  await talk.end(report)
  await finish?.()
}

/** How long a press waits until its message says so, in ms; a slow Slack must not use up the time of the plan. */
const SEEN_MS = 5_000

/**
 * The message of the plan, from now on without its buttons, or soon; and whether it is noted that these are gone. As long as
 * it is not, whoever looks for what was left tells that the press did nothing, so nothing may be done.
 */
async function takenOver(
  { open, call, ask, talk, message }: Pressed,
  house: House,
): Promise<readonly [Opened, Outcome<null>]> {
  const { promise: late, resolve } = Promise.withResolvers<Opened>()
  const stop = house.every(SEEN_MS, () => resolve({ place: ask.place, message }))
  const change = {
    title: open.title,
    command: nameOf(call),
    person: open.person,
    reason: open.terms.reason,
  }
  const freed = Promise.withResolvers<Outcome<null>>()
  const noted = async (): Promise<void> => freed.resolve(await house.store.placePlan(open.id, null))
  const taking = talk.takeOver(runningReport(open, ask.person), { change, noted })
  taking.catch(freed.reject)
  return Promise.all([Promise.race([taking, late]), freed.promise]).finally(stop)
}

function nameOf(call: Call | null): string {
  return call === null ? 'unknown' : [call.command.word, call.command.verb ?? ''].join(' ').trim()
}

function note(
  { open, call, ask }: Pressed,
  said: Pick<Audit, 'decision' | 'result'>,
  house: House,
): Promise<Outcome<null>> {
  return audit({ ask, command: call?.command ?? null, target: open.target, ...said }, house)
}
