import { authorise } from '../authorise.ts'
import type { Ask } from '../domain/ask.ts'
import type { Command } from '../domain/command.ts'
import type { Report } from '../domain/report.ts'
import { refusal } from '../domain/report.ts'
import type { Target } from '../domain/target.ts'
import type { Call, Problem } from '../parse.ts'
import { lineOf, parse } from '../parse.ts'
import { audit } from './audit.ts'
import { chooseTarget } from './choose-target.ts'
import type { House } from './house.ts'

/** What an ask came to: a call to run, or an answer at once. Null: nobody asked us. */
export type Meant = { readonly call: Call; readonly target: Target | null } | { readonly answer: Report } | null

/** Parses an ask, looks whether it may be, and finds its target. */
export async function understand(ask: Ask, house: House): Promise<Meant> {
  const parsed = parse(ask, house.commands)
  if (parsed.kind === 'silence') return null
  const thread = await threadTarget(ask, house)
  if (ask.how === 'thread' && thread === null) return null
  const call = parsed.kind === 'help' ? helpCall(parsed.command, house.commands) : parsed
  return (
    (await refused(ask, call, house)) ?? (call.kind === 'problem' ? wrong(call.text) : aimed(ask, call, thread, house))
  )
}

async function refused(ask: Ask, call: Call | Problem, house: House): Promise<{ readonly answer: Report } | null> {
  const allowed = authorise(ask, call.kind === 'call' ? call.command.access : 'anyone', house.policy)
  if (allowed.ok) return null
  await audit({ ask, command: call.command, target: null, decision: 'refused', result: allowed.reason }, house)
  return { answer: refusal(`Not run: ${allowed.reason}.`) }
}

function aimed(ask: Ask, call: Call, thread: string | null, house: House): Meant {
  const { command, raw } = call
  if (command.where === 'terminal' && ask.how !== 'terminal') {
    return wrong(`${command.word} works only in the terminal: pilotflame ${command.usage}`)
  }
  if (!command.needsTarget) return { call, target: null }
  const { targets, policy } = house
  const lineFor = (target: string): string => lineOf(command, { ...raw, flags: { ...raw.flags, target } })
  const chosen = chooseTarget({ named: call.bound.target, thread, place: ask.place, targets, policy, lineFor })
  return chosen.ok ? { call, target: chosen.target } : { answer: chosen.answer }
}

function wrong(text: string): { readonly answer: Report } {
  return { answer: refusal(text, 'usage') }
}

async function threadTarget(ask: Ask, house: House): Promise<string | null> {
  if (ask.place.thread === null) return null
  const bound = await house.store.threadTarget(ask.place)
  return bound.ok ? bound.value : null
}

function helpCall(about: Command | null, commands: readonly Command[]): Call | Problem {
  const words = about === null ? [] : [about.word, ...(about.verb === null ? [] : [about.verb])]
  const raw = { prompt: null, words, flags: {} }
  const command = commands.find((one) => one.word === 'help')
  const bound = command?.bind(raw)
  if (command === undefined || bound === undefined || !bound.ok) {
    return { kind: 'problem', command: null, text: 'There is no help here.' }
  }
  return { kind: 'call', command, raw, bound }
}
