import { allowedHere } from '../authorise.ts'
import type { Ask } from '../domain/ask.ts'
import type { Command } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { ok } from '../domain/outcome.ts'
import type { Report } from '../domain/report.ts'
import { refusal } from '../domain/report.ts'
import type { Target } from '../domain/target.ts'
import type { Usual } from '../domain/usual.ts'
import type { Call, Help, Problem } from '../parse.ts'
import { lineOf, parse } from '../parse.ts'
import { chooseTarget } from './choose-target.ts'
import type { House } from './house.ts'
import { nameTarget } from './name-target.ts'
import { severalIn } from './several.ts'
import { configuredIn, usualIn } from './usual.ts'

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
  const parsed = parse(ask, house.commands, house.slash.words)
  if (parsed.kind === 'silence') return null
  const thread = await threadTarget(ask, house)
  if (ask.how === 'thread' && !(thread.ok && thread.value !== null)) return null
  const call = parsed.kind === 'help' ? helpCall(parsed, house.commands) : parsed
  const allowed = await house.who.may(ask, call.kind === 'call' ? call.command.access : 'anyone')
  if (!allowed.ok) return answered(call, refusal(`Not run: ${allowed.reason}.`), allowed.why)
  if (call.kind === 'problem') return answered(call, refusal(call.text, 'usage'))
  const named = nameTarget(call, house.targets, (name) => allowedHere(ask.place.channel, name, house.policy))
  if (named.kind === 'problem') return answered(named, refusal(named.text, 'usage'))
  return aimed(ask, named, thread, house)
}

/** Where the store does not tell which target a thread or channel is about, nobody guesses another one. */
async function aimed(ask: Ask, call: Call, thread: Outcome<string | null>, house: House): Promise<Meant> {
  const { command, raw, bound } = call
  if (command.where === 'chat' && ask.how === 'terminal') {
    const instead = command.inTerminal === undefined ? '' : ` ${command.inTerminal}`
    return answered(call, refusal(`${nameOf(command)} is asked for in a chat; a terminal has none.${instead}`, 'usage'))
  }
  if (!bound.needsTarget) return { call, target: null }
  const named = bound.target === null ? thread : ok(bound.target)
  if (!named.ok) return answered(call, refusal(sentence(named.failure), 'failed'))
  const several = named.value === null ? await severalIn(ask.place, house.store) : ok([])
  if (!several.ok) return answered(call, refusal(sentence(several.failure), 'failed'))
  const asks = named.value !== null || several.value.length > 0
  const usual = asks ? ok(null) : await usualFor(ask, command, house)
  if (!usual.ok) return answered(call, refusal(sentence(usual.failure), 'failed'))
  const lineFor = (target: string): string => lineOf(command, { ...raw, flags: { ...raw.flags, target } })
  const { policy } = house
  const targets = among(several.value, house.targets)
  const { typed } = house.slash
  const chosen = chooseTarget({
    named: named.value,
    usual: usual.value,
    place: ask.place,
    targets,
    policy,
    lineFor,
    typed,
  })
  return chosen.ok ? { call, target: chosen.target } : answered(call, chosen.answer)
}

/** Where the store does not tell what was said in the channel, looking goes on with what is configured; nothing is changed. */
async function usualFor({ place }: Ask, { access }: Command, house: House): Promise<Outcome<Usual | null>> {
  const usual = await usualIn(place.channel, house)
  if (usual.ok || access === 'operate' || access === 'admin') return usual
  house.log.error('not known which target is meant in the channel', { failure: usual.failure })
  return ok(configuredIn(place.channel, house))
}

/** In a thread about several targets only those are offered. */
function among(several: readonly string[], targets: readonly Target[]): readonly Target[] {
  return several.length === 0 ? targets : targets.filter(({ name }) => several.includes(name))
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

function helpCall({ command: about, family }: Help, commands: readonly Command[]): Call | Problem {
  const words = about === null ? [] : [about.word, ...(family || about.verb === null ? [] : [about.verb])]
  const raw = { prompt: null, words, flags: {} }
  const command = commands.find((one) => one.word === 'help')
  const bound = command?.bind(raw)
  if (command === undefined || bound === undefined || !bound.ok) {
    return { kind: 'problem', what: 'command', command: null, text: 'There is no help here.' }
  }
  return { kind: 'call', command, raw, bound }
}

function nameOf({ word, verb }: Command): string {
  return verb === null ? word : `${word} ${verb}`
}
