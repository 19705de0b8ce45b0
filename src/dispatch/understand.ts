import { authorise } from '../authorise.ts'
import type { Ask } from '../domain/ask.ts'
import type { Command } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { ok } from '../domain/outcome.ts'
import type { Report } from '../domain/report.ts'
import { refusal } from '../domain/report.ts'
import type { Target } from '../domain/target.ts'
import type { Call, Problem } from '../parse.ts'
import { lineOf, parse } from '../parse.ts'
import { chooseTarget } from './choose-target.ts'
import type { House } from './house.ts'

/** What an ask came to: a call to run, or an answer at once. Null: nobody asked us. */
export type Meant = Aimed | Answered | null

interface Aimed {
  readonly call: Call
  readonly target: Target | null
}

interface Answered {
  readonly command: Command | null
  readonly answer: Report
  /** for the audit: why nothing is run, without a word of what was typed */
  readonly why: string
}

/** Parses an ask, looks whether it may be, and finds its target. */
export async function understand(ask: Ask, house: House): Promise<Meant> {
  const parsed = parse(ask, house.commands)
  if (parsed.kind === 'silence') return null
  const thread = await threadTarget(ask, house)
  if (ask.how === 'thread' && !(thread.ok && thread.value !== null)) return null
  const call = parsed.kind === 'help' ? helpCall(parsed.command, house.commands) : parsed
  const allowed = authorise(ask, call.kind === 'call' ? call.command.access : 'anyone', house.policy)
  if (!allowed.ok) return answered(call, refusal(`Not run: ${allowed.reason}.`), allowed.reason)
  if (call.kind === 'problem') return answered(call, refusal(call.text, 'usage'))
  return aimed(ask, call, thread, house)
}

/** Where the store does not tell which target a thread is about, nobody guesses another one. */
function aimed(ask: Ask, call: Call, thread: Outcome<string | null>, house: House): Meant {
  const { command, raw, bound } = call
  if (command.where === 'chat' && ask.how === 'terminal') {
    return answered(call, refusal(`${command.word} works on a thread in a chat; a terminal has none.`, 'usage'))
  }
  if (!command.needsTarget) return { call, target: null }
  if (!thread.ok && bound.target === null) return answered(call, refusal(sentence(thread.failure), 'failed'))
  const { targets, policy } = house
  const lineFor = (target: string): string => lineOf(command, { ...raw, flags: { ...raw.flags, target } })
  const known = thread.ok ? thread.value : null
  const chosen = chooseTarget({ named: bound.target, thread: known, place: ask.place, targets, policy, lineFor })
  return chosen.ok ? { call, target: chosen.target } : answered(call, chosen.answer)
}

function answered({ command }: Call | Problem, answer: Report, why: string = answer.status): Answered {
  return { command, answer, why }
}

async function threadTarget(ask: Ask, house: House): Promise<Outcome<string | null>> {
  if (ask.place.thread === null) return ok(null)
  const bound = await house.store.threadTarget(ask.place)
  if (!bound.ok) house.log.error('thread not read', { failure: bound.failure })
  return bound
}

function helpCall(about: Command | null, commands: readonly Command[]): Call | Problem {
  const words = about === null ? [] : [about.word, ...(about.verb === null ? [] : [about.verb])]
  const raw = { prompt: null, words, flags: {} }
  const command = commands.find((one) => one.word === 'help')
  const bound = command?.bind(raw)
  if (command === undefined || bound === undefined || !bound.ok) {
    return { kind: 'problem', what: 'command', command: null, text: 'There is no help here.' }
  }
  return { kind: 'call', command, raw, bound }
}
