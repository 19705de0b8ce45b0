import { z } from 'zod'
import type { Changed, ChangeTools, TargetTools } from '../domain/command.ts'
import { defineChange } from '../domain/define-change.ts'
import type { Plan, Planned } from '../domain/plan.ts'
import type { Fact, Report } from '../domain/report.ts'
import { counted, refusal, report } from '../domain/report.ts'
import { ago, span, utc } from '../domain/span.ts'
import type { Fence, UnitState } from '../domain/unit.ts'
import { readFence } from '../domain/unit.ts'
import type { Act } from '../domain/verbs/change.ts'
import { restart as verb } from '../domain/verbs/change.ts'
import { ping } from '../domain/verbs/ping.ts'
import { requested } from './server/requested.ts'
import { unitOnHost } from './server/unit-on-host.ts'

/** `/sglang restart qwen`: systemd on its host restarts the unit. Whether the model works then, a smoke must prove. */
export const restart = defineChange({
  word: 'sglang',
  verb: 'restart',
  summary: 'Restart a model server, once you have confirmed the plan',
  usage: 'sglang restart [TARGET] [--reason "TEXT"] [--force] [--break-glass "REASON"]',
  examples: ['sglang restart qwen --reason "new weights"', 'sglang restart'],
  targetFirst: true,
  takes: 'words',
  args: z.object({ words: z.array(z.string()).max(1, 'at most one target is wanted; put a reason in quotes') }),
  plan: (_given, tools) => look(tools),
  act: (_given, plan, tools) => act(plan, tools),
})

async function look(tools: TargetTools): Promise<Planned> {
  const [found, running, uptimeMs] = await Promise.all([unitOnHost(tools), runningNow(tools), uptime(tools)])
  if (!found.ok) return found
  const { host, unit, reading, fence } = found
  const { name } = tools.target
  const cut =
    running === null || running === 0
      ? ''
      : ` ${counted(running, 'request')} that it answers now ${running === 1 ? 'is' : 'are'} cut off.`
  const effect = `systemd on ${host.name} stops ${reading.state.id} and starts it again. Whoever uses ${name} gets errors until it has loaded its model again.${cut}`
  const plan: Plan = {
    title: `Restart ${name}`,
    effect,
    facts: [
      ...loading(name, reading.state, running, uptimeMs),
      ...factsOf(host.name, { ...reading, fence, running, uptimeMs }),
    ],
    seen: fence.token,
    seenInWords: seenWords(reading.state, fence),
    on: [{ kind: 'target', name }],
    host: host.name,
    unit,
    capped: true,
  }
  return { ok: true, plan }
}

interface Looked {
  readonly state: UnitState
  readonly fence: Fence
  readonly running: number | null
  readonly uptimeMs: number | null
}

/** The host counts them for each unit, so that a plan which another change overtook is known. */
const CHANGES = 'Changes by Pilotflame'

function factsOf(host: string, { state, fence, running, uptimeMs }: Looked): readonly Fact[] {
  return [
    { label: 'Unit', value: `${state.id} on ${host}` },
    { label: 'State', value: `${stateWords(state)}${forHowLong(state, uptimeMs)}` },
    { label: CHANGES, value: String(fence.generation) },
    ...(state.mainPid === null ? [] : [{ label: 'PID', value: String(state.mainPid) }]),
    ...(state.nRestarts ? [{ label: 'Restarted by systemd', value: counted(state.nRestarts, 'time') }] : []),
    { label: 'Requests now', value: running === null ? 'not told' : String(running) },
  ]
}

/** A model that is not loaded yet looks like one that does not answer: another restart only begins anew. In ms. */
const LOADING_MS = 10 * 60_000

function loading(name: string, state: UnitState, running: number | null, uptimeMs: number | null): readonly Fact[] {
  const { activeState, stateChangedMs } = state
  if (running !== null || uptimeMs === null || stateChangedMs === null) return []
  const ageMs = uptimeMs - stateChangedMs
  if (activeState !== 'active' || ageMs >= LOADING_MS) return []
  return [{ label: 'Warning', value: `${name} was started ${ago(ageMs)} and may still be loading its model` }]
}

/** systemd counts from the boot on, so this takes how long the host is up, in ms. */
function forHowLong({ stateChangedMs }: UnitState, uptimeMs: number | null): string {
  return stateChangedMs === null || uptimeMs === null ? '' : ` for ${span(uptimeMs - stateChangedMs)}`
}

async function uptime({ target, host: hostNamed, signal }: TargetTools): Promise<number | null> {
  const ran = await (target.host === null ? null : hostNamed(target.host))?.run(ping, {}, { signal })
  const seconds = ran?.ok === true ? ran.value.value.uptimeS : null
  return seconds === null ? null : seconds * 1000
}

/** Whoever restarts it by hand changes nothing but the run. */
function seenWords(state: UnitState, { generation, seen }: Fence): string {
  const run = seen.state === 'active' ? `, run ${seen.invocation.slice(0, 8)}` : ''
  return `${stateWords(state)}, ${counted(generation, 'change')} by Pilotflame so far${run}`
}

function stateWords({ activeState, subState, result }: UnitState): string {
  const why = result === null || result === 'success' ? '' : `, ${result}`
  return `${activeState} (${subState}${why})`
}

/** A plan does not wait longer for the engine to tell how busy it is, in ms. */
const LOAD_MS = 3_000

/** Requests that the engine answers now; null where it does not tell in time, as a dead one does not. */
async function runningNow({ target, reach, signal }: TargetTools): Promise<number | null> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(LOAD_MS)])
  const reached = await reach(target, soon)
  if (!reached.ok) return null
  const load = await reached.value.engine.load(reached.value.api, soon)
  return load.ok ? load.value.running : null
}

async function act(plan: Plan, { target, host: hostNamed, signal, op }: TargetTools & ChangeTools): Promise<Changed> {
  const [host, fence] = [plan.host === null ? null : hostNamed(plan.host), readFence(plan.seen)]
  if (host === null || plan.unit === null || fence === null) {
    return { state: 'failed', report: refusal(`${plan.title}: its host or unit is gone. Nothing was done.`, 'failed') }
  }
  const ran = await host.run(verb, { unit: plan.unit, fence }, { signal, op })
  return requested(plan.title, ran, (done) => accepted(plan, target.name, fence, done))
}

function accepted({ title, host }: Plan, name: string, before: Fence, { at, generation }: Act): Report {
  const when = at === null ? '' : ` at ${utc(at)}`
  return report({
    tone: 'good',
    status: 'done',
    title: `${title}: systemd on ${host} took it${when}`,
    summary: `That is no proof that ${name} works: it loads its model now. Next: smoke it once it has.`,
    facts: [{ label: CHANGES, value: `${before.generation} → ${generation ?? 'not told'}` }],
    actions: [{ label: 'Smoke', line: `smoke --target ${name}`, style: 'primary' }],
    json: { target: name, host, at, generation },
  })
}
