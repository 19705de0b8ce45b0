import type { Reach } from '../domain/engine.ts'
import type { Host } from '../domain/host.ts'
import type { Looked } from '../domain/looked.ts'
import { byReason } from '../domain/looked.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Target } from '../domain/target.ts'
import type { UnitState } from '../domain/unit.ts'
import type { HostFacts } from '../domain/verbs/ping.ts'
import { ping } from '../domain/verbs/ping.ts'
import { hostParts } from './host-parts.ts'
import type { After } from './limit.ts'
import { within } from './limit.ts'
import type { Facts, Found, Part } from './part.ts'
import { unitParts } from './unit-parts.ts'

export interface Look {
  readonly target: Target
  /** null where the target names none: then there is nothing there to look at */
  readonly host: Host | null
  /** aborted by a person or a shutdown; what had come is kept */
  readonly signal: AbortSignal
  readonly after: After
  /** whether the server answered at all, so that it can be asked what it is busy with */
  readonly answers: boolean
  reach(target: Target, signal: AbortSignal): Promise<Outcome<Reach>>
  redact(text: string): string
  /** How many of the things on the host have been looked at. */
  onProgress(done: number, all: number): void
}

/** Nobody waits longer for all of it, in ms. */
const LOOK_MS = 10_000

/** Looks at what may explain a failure: everything at once, each with a limit of its own. What does not come is named. */
export async function lookAround(look: Look): Promise<{ readonly facts: Facts; readonly looked: Looked }> {
  const whole = new AbortController()
  const stop = look.after(LOOK_MS, () => whole.abort(`nothing came within ${LOOK_MS / 1000} s`))
  const signal = AbortSignal.any([look.signal, whole.signal])
  const onHost = look.host === null ? [] : partsOn(look.host, look, signal)
  let done = 0
  const seen = async (part: Part, counts: boolean): Promise<Seen> => {
    const found = await within({ limitMs: part.limitMs, after: look.after, signal }, part.look)
    if (counts) {
      done += 1
      look.onProgress(done, onHost.length)
    }
    return { name: part.name, found }
  }
  if (onHost.length > 0) look.onProgress(0, onHost.length)
  const all = await Promise.all([
    ...onHost.map((part) => seen(part, true)),
    ...(look.answers ? [seen(loadPart(look), false)] : []),
  ]).finally(stop)
  return {
    facts: Object.assign({}, ...all.map(factsOf)),
    looked: { seen: all.flatMap(told), missing: gaps(all, look) },
  }
}

interface Seen {
  readonly name: string
  readonly found: Outcome<Found>
}

function factsOf({ found }: Seen): Facts {
  return found.ok ? found.value.evidence : {}
}

function told({ name, found }: Seen): readonly string[] {
  if (!found.ok) return []
  return [found.value.note === undefined ? name : `${name} (${found.value.note})`]
}

function gaps(all: readonly Seen[], { target, host }: Look): Looked['missing'] {
  const missing = all.flatMap(({ name, found: one }) => (one.ok ? [] : [{ what: name, why: why(one.failure) }]))
  const unit = host !== null && target.unit === null ? [{ what: 'unit, log, process', why: NO_UNIT }] : []
  return byReason([...missing, ...unit])
}

const NO_UNIT = 'pilotflame.yml names no unit for this target'

function why({ thing, observed }: { readonly thing: string; readonly observed: string }): string {
  return /^(?:host|gate) /.test(thing) ? `${thing}: ${observed}` : observed
}

function partsOn(host: Host, { target, redact, after }: Look, signal: AbortSignal): readonly Part[] {
  const clock = once(() => within({ limitMs: 8000, after, signal }, (cut) => host.run(ping, {}, { signal: cut })))
  const told = Promise.withResolvers<Outcome<UnitState>>()
  const startedMs = async (): Promise<number | null> => {
    if (target.unit === null) return null
    const [facts, state] = await Promise.all([clock(), told.promise])
    return facts.ok && state.ok ? startOf(state.value, facts.value.value) : null
  }
  const now = async (): Promise<number | null> => {
    const facts = await clock()
    return facts.ok ? facts.value.value.timeMs : null
  }
  const unit =
    target.unit === null
      ? []
      : unitParts({ host, unit: target.unit, redact, state: told.promise, told: told.resolve, startedMs })
  return [...unit, ...hostParts({ host, redact, startedMs, now })]
}

/** systemd counts from the boot. */
function startOf({ inactiveLeftMs }: UnitState, { timeMs, uptimeS }: HostFacts): number | null {
  return inactiveLeftMs === null || timeMs === null || uptimeS === null
    ? null
    : timeMs - uptimeS * 1000 + inactiveLeftMs
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return () => {
    asked ??= ask()
    return asked
  }
}

/** What the server says that it is busy with. */
function loadPart({ target, reach }: Look): Part {
  return {
    name: 'load',
    limitMs: 5000,
    async look(signal) {
      const reached = await reach(target, signal)
      if (!reached.ok) return failed(reached.failure)
      const load = await reached.value.engine.load(reached.value.api, signal)
      if (!load.ok) return failed(load.failure)
      const { running, waiting, asked } = load.value
      if (asked === null)
        return failed({ kind: 'not-there', thing: 'load', observed: 'the server does not tell', next: 'nothing' })
      return ok({ evidence: { load: load.value }, note: `${running ?? '?'} running, ${waiting ?? '?'} waiting` })
    },
  }
}
