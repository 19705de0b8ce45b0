import type { Evidence } from '../domain/finding.ts'
import type { Host, Ran } from '../domain/host.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { CardsTold, Telemetry } from '../domain/telemetry.ts'
import type { UnitState } from '../domain/unit.ts'
import type { Verb } from '../domain/verb.ts'
import { cards } from '../domain/verbs/cards.ts'
import type { DiskPlace } from '../domain/verbs/disk.ts'
import { disk } from '../domain/verbs/disk.ts'
import type { KernelLines } from '../domain/verbs/dmesg-gpu.ts'
import { dmesgGpu } from '../domain/verbs/dmesg-gpu.ts'
import type { HostHealth } from '../domain/verbs/host-health.ts'
import { hostHealth } from '../domain/verbs/host-health.ts'
import type { PciCards } from '../domain/verbs/pci.ts'
import { pci } from '../domain/verbs/pci.ts'
import { ping } from '../domain/verbs/ping.ts'
import { unit } from '../domain/verbs/unit.ts'
import type { InstalledPackage } from '../domain/verbs/versions.ts'
import { versions } from '../domain/verbs/versions.ts'
import { amdGpus, besideAmd, fastest, gpusOf, isOfAmd, recent, toldOf } from './health-evidence.ts'
import type { After } from './limit.ts'
import { within } from './limit.ts'

/** One host whose health is looked at. */
export interface HealthLook {
  readonly host: Host
  /** names by which its gate knows the units of targets; the first 16 are looked at */
  readonly units: readonly string[]
  readonly telemetry: readonly Telemetry[]
  /** aborted by a person or a shutdown */
  readonly signal: AbortSignal
  readonly after: After
  redact(text: string): string
}

/** What a host told of its health. */
export interface Health {
  /** of the machine */
  readonly evidence: Evidence & { readonly machine: HostHealth }
  /** one for each unit that told its state */
  readonly units: readonly Evidence[]
  /** what did not come, and why */
  readonly missing: readonly Missing[]
}

export interface Missing {
  readonly what: HealthPart
  readonly why: string
}

export type HealthPart = 'pci' | 'kernel' | 'units' | 'versions' | 'disk' | 'cards'

/** In ms: the longest of its verbs may take 40 s, and nobody waits longer for one host. */
const HEALTH_MS = 42_000
const MOST_UNITS = 16
const MOST_KERNEL = 200

/** Looks at one machine, all at once. Without its own word on its health nothing is known; the rest may be missing. */
export async function lookAtHealth(look: HealthLook): Promise<Outcome<Health>> {
  const ask = asking(look)
  const names = look.units.slice(0, MOST_UNITS)
  const [health, bus, kernel, ...units] = await Promise.all([
    ask(hostHealth, {}),
    ask(pci, {}),
    ask(dmesgGpu, {}),
    ...names.map((name) => ofUnit(name, ask)),
  ])
  if (!health.ok) return failed(health.failure)
  const { value: machine } = health.value
  const shellMs = await shellCost(fastest([health, bus, kernel]), ask)
  const amd = isOfAmd(machine, bus.ok ? bus.value.value.cards : []) ? await ask(cards, {}) : null
  const evidence = assembled({
    look,
    machine: amd?.ok ? besideAmd(machine, amd.value.value) : machine,
    bus,
    kernel,
    amd,
    units,
    shellMs,
  })
  const untimed = kernel.ok && machine.timeMs === null ? [UNTIMED] : []
  const gaps = [...gap('pci', bus), ...gap('kernel', kernel), ...untimed, ...(amd === null ? [] : gap('cards', amd))]
  return ok({
    evidence,
    units: units.flatMap(({ state }) => (state === null ? [] : [{ target: evidence.target, unit: state }])),
    // a tool's own words may stand in a reason
    missing: [...gaps, ...units.flatMap((one) => one.missing)].map(({ what, why }) => ({
      what,
      why: look.redact(why),
    })),
  })
}

/** Beside many other calls one is slow by our own doing: a slow shell is asked twice more, one call after the other. */
async function shellCost(first: number | null, ask: Asking): Promise<number | null> {
  let cost = first
  for (let again = 0; again < 2 && cost !== null && cost > SLOW_MS; again += 1) {
    cost = Math.min(cost, fastest([await ask(ping, {})]) ?? cost)
  }
  return cost
}

const SLOW_MS = 100

const UNTIMED: Missing = {
  what: 'kernel',
  why: 'the host does not tell its time, so the age of its lines is not known',
}

interface Answers {
  readonly look: HealthLook
  readonly machine: HostHealth
  readonly bus: Outcome<Ran<PciCards>>
  readonly kernel: Outcome<Ran<KernelLines>>
  /** what the tool of AMD said; null: it was not asked */
  readonly amd: Outcome<Ran<CardsTold>> | null
  readonly units: readonly OfUnit[]
  readonly shellMs: number | null
}

/** Whatever did not answer is left out: missing means not known. */
function assembled({ look, machine, bus, kernel, amd, units, shellMs }: Answers): Health['evidence'] {
  const onBus = bus.ok ? bus.value.value.cards : []
  const ofAmd = amd?.ok ? amdGpus(amd.value.value, look.telemetry) : null
  const gpus = ofAmd ?? gpusOf(machine, onBus, look.redact)
  const lines = kernel.ok ? recent(kernel.value.value.lines, machine) : null
  const packages = units.flatMap((one) => one.packages)
  const more = units.flatMap((one) => one.places)
  return {
    target: { name: look.host.name, url: '', host: look.host.name },
    machine: { ...machine, places: withPlaces(machine.places, more) },
    ...(gpus === null ? {} : { gpus }),
    ...(bus.ok ? { pci: onBus } : {}),
    ...(lines === null ? {} : { kernel: lines.slice(-MOST_KERNEL).map(look.redact) }),
    ...(packages.length > 0 && { installed: { packages, driver: machine.driver, os: null, kernel: machine.kernel } }),
    ...(shellMs === null ? {} : { shellMs }),
    told: toldOf(machine),
  }
}

type Asking = <Args, Result>(verb: Verb<Args, Result>, args: Args) => Promise<Outcome<Ran<Result>>>

function asking({ host, after, signal }: HealthLook): Asking {
  return async (verb, args) => {
    const ran = await within({ limitMs: HEALTH_MS, after, signal }, (cut) => host.run(verb, args, { signal: cut }))
    // a wait that ended does not know what it waited for
    return ran.ok || ran.failure.thing !== '' ? ran : failed({ ...ran.failure, thing: `host ${host.name}` })
  }
}

interface OfUnit {
  readonly state: UnitState | null
  readonly packages: readonly InstalledPackage[]
  readonly places: readonly DiskPlace[]
  readonly missing: readonly Missing[]
}

async function ofUnit(name: string, ask: Asking): Promise<OfUnit> {
  const [state, installed, room] = await Promise.all([
    ask(unit, { unit: name }),
    ask(versions, { unit: name }),
    ask(disk, { unit: name }),
  ])
  const gaps = [...gap('units', state), ...gap('versions', installed), ...gap('disk', room)]
  return {
    state: state.ok ? state.value.value.state : null,
    packages: installed.ok ? installed.value.value.packages : [],
    places: room.ok ? room.value.value.places : [],
    missing: gaps.map(({ what, why }) => ({ what, why: `${name}: ${why}` })),
  }
}

function gap(what: HealthPart, ran: Outcome<unknown>): readonly Missing[] {
  return ran.ok ? [] : [{ what, why: ran.failure.observed }]
}

function withPlaces(own: readonly DiskPlace[], more: readonly DiskPlace[]): readonly DiskPlace[] {
  return [...new Map([...more, ...own].map((place) => [place.mount, place])).values()]
}
