import type { GateReply } from '../gate.ts'
import { sectionOf } from '../gate.ts'
import type { Outcome } from '../outcome.ts'
import { failed, ok } from '../outcome.ts'
import type { Fence } from '../unit.ts'
import type { Verb } from '../verb.ts'
import { garbled, keyValues, wholeNumber } from './reading.ts'
import { toolFailure } from './tool-failure.ts'

export const start = change<ChangeArgs>('start', () => [])
export const stop = change<ChangeArgs>('stop', () => [])
export const restart = change<ChangeArgs>('restart', () => [])
/** Forgets that a unit failed, and lets it start again after too many starts. */
export const resetFailed = change<ChangeArgs>('reset-failed', () => [])
/** Ends one process of the unit; start and owner make sure that the pid still means the same one. */
export const kill = change<KillArgs>('kill', ({ pid, start: began, owner, signal }) => [
  String(pid),
  String(began),
  owner,
  signal,
])
/** Lets the unit run with other settings from its next start on. */
export const variant = change<VariantArgs>('variant', ({ variant: name }) => [name ?? 'none'])

export interface ChangeArgs {
  /** its alias in /etc/pilotflame/units */
  readonly unit: string
  /** as the plan saw the unit */
  readonly fence: Fence
}

export interface KillArgs extends ChangeArgs {
  readonly pid: number
  readonly start: number
  readonly owner: string
  readonly signal: 'TERM' | 'KILL'
}

export interface VariantArgs extends ChangeArgs {
  /** null: none, the unit as it was written */
  readonly variant: string | null
}

/** What became of a change that the host accepted. It was asked for; whether the unit runs is asked of `unit`. */
export interface Act {
  /** `already`: this very operation was done before. `issued`: it was begun before and its end is not known */
  readonly state: 'done' | 'already' | 'issued'
  /** of the fence now */
  readonly generation: number | null
  /** ms since 1970, the host's clock */
  readonly at: number | null
  /** the tool's first words; '' where it had none */
  readonly said: string
}

function change<Args extends ChangeArgs>(name: string, more: (args: Args) => readonly string[]): Verb<Args, Act> {
  return {
    name,
    access: 'operate',
    // systemctl is asked not to wait, but to become root may take long; giving up early would leave its end unknown
    deadlineMs: 45_000,
    words: (args) => [args.unit, args.fence.token, ...more(args)],
    parse: (reply) => readAct(name, reply),
  }
}

function readAct(name: string, reply: GateReply): Outcome<Act> {
  const section = sectionOf(reply, 'act')
  const values = keyValues(section)
  const state = values.get('state')
  if (section === null || (state !== 'done' && state !== 'already' && state !== 'issued')) {
    return failed(garbled('section act', 'it does not say what became of the change'))
  }
  const said = values.get('said') ?? ''
  const act: Act = { state, generation: wholeNumber(values.get('generation')), at: atMs(values.get('at')), said }
  const rc = wholeNumber(values.get('rc'))
  if (state === 'issued' || rc === 0) return ok(act)
  if (rc === null) return failed(garbled('section act', 'it has no status'), act)
  const tool = name === 'kill' || name === 'variant' ? name : `systemctl ${name}`
  return failed(toolFailure(tool, { ...section, rc, text: said }), act)
}

function atMs(seconds: string | undefined): number | null {
  const at = wholeNumber(seconds)
  return at === null ? null : at * 1000
}
