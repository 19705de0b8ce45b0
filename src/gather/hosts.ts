import type { Failure } from '../domain/failure.ts'
import type { Host } from '../domain/host.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { seconds } from '../domain/report.ts'
import type { HostCards, Telemetry } from '../domain/telemetry.ts'
import { cards } from '../domain/verbs/cards.ts'
import type { PciCard } from '../domain/verbs/pci.ts'
import { pci } from '../domain/verbs/pci.ts'
import { cleanProcess } from './clean.ts'
import { hurry } from './hurry.ts'
import type { After } from './limit.ts'
import { within } from './limit.ts'

/** Hosts whose cards are looked at, all at once. */
export interface HostsLook {
  readonly hosts: readonly Host[]
  readonly telemetry: readonly Telemetry[]
  /** aborted by a person or a shutdown; what had come is kept */
  readonly signal: AbortSignal
  readonly after: After
  redact(text: string): string
  /** Told of every change, with all hosts in the order in which they were given. */
  onChange(seen: readonly HostSight[]): void
}

export interface HostSight {
  readonly host: string
  readonly sight: Sight
}

/** stopped: somebody ended the look before it told · read: the tool on it may have failed all the same */
export type Sight =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'read'; readonly read: HostRead }

/** `bus`: what is on the PCI bus, asked only where the tool listed no card; null: not known. */
export interface HostRead extends HostCards {
  readonly bus: readonly PciCard[] | null
}

/** Nobody waits longer for one host, in ms. */
export const HOST_MS = 8000
/** The second look, at a host whose tool lists nothing, in ms. */
const BUS_MS = 2000

/** Looks at the cards of many hosts, each with a limit of its own: a slow one delays nobody, a failed one says why. */
export async function lookAtHosts(look: HostsLook): Promise<readonly HostSight[]> {
  const { hosts } = look
  const seen = hosts.map(({ name }): HostSight => ({ host: name, sight: { kind: 'waiting' } }))
  const hurried = hurry(hosts.length, look.after)
  const signal = AbortSignal.any([look.signal, hurried.signal])
  const one = async (host: Host, at: number): Promise<void> => {
    const sight = await sightOf(host, { ...look, signal })
    seen[at] = { host: host.name, sight: look.signal.aborted && sight.kind === 'failed' ? { kind: 'stopped' } : sight }
    hurried.told()
    look.onChange([...seen])
  }
  await Promise.all(hosts.map(one)).finally(hurried.end)
  return seen
}

type Looking = Pick<HostsLook, 'telemetry' | 'signal' | 'after' | 'redact'>

async function sightOf(host: Host, look: Looking): Promise<Sight> {
  const read = await within({ ...look, limitMs: HOST_MS }, (cut) => readCards(host, look, cut))
  if (!read.ok) return { kind: 'failed', failure: named(read.failure, host) }
  const { gpus } = read.value
  if (gpus.cards.length > 0 || gpus.unasked === 'in-use') return { kind: 'read', read: { ...read.value, bus: null } }
  const bus = await within({ ...look, limitMs: BUS_MS }, (cut) => host.run(pci, {}, { signal: cut }))
  return { kind: 'read', read: { ...read.value, bus: bus.ok ? bus.value.value.cards : null } }
}

/** A wait that ended knows neither the host nor what to do about it. */
function named(failure: Failure, { name }: Host): Failure {
  if (failure.thing !== '') return failure
  const next = `look at it alone, which waits up to ${seconds(HOST_MS)}; if it stays, see whether it can be reached at all`
  return { ...failure, thing: `host ${name}`, next }
}

async function readCards(host: Host, { telemetry, redact }: Looking, signal: AbortSignal): Promise<Outcome<HostCards>> {
  const ran = await host.run(cards, {}, { signal })
  if (!ran.ok) return lacksTool(ran.failure) ? ok(NO_TOOL) : failed(ran.failure)
  const told = ran.value.value
  const tool = telemetry.find(({ kind }) => kind === told.tool)
  return tool === undefined ? failed(unread(told.tool)) : ok(clean(tool.read(told), redact))
}

/** What came from the host, without secrets; its reader has bounded it. */
function clean(told: HostCards, redact: (text: string) => string): HostCards {
  const { gpus, processes } = told
  const chatter = gpus.chatter === undefined ? {} : { chatter: gpus.chatter.map(redact) }
  return {
    ...told,
    gpus: { ...gpus, notes: gpus.notes.map(redact), ...chatter },
    processes: processes?.map((one) => cleanProcess(one, redact)) ?? null,
  }
}

/** It looks for one tool after the other, and needs others besides, which is another matter. */
function lacksTool({ kind, observed }: Failure): boolean {
  return kind === 'tool-missing' && observed.includes('-smi')
}

/** The gate found no tool. A shell says so with status 127, by which the rules know it. */
const NO_TOOL: HostCards = {
  gpus: { tool: 'nvidia-smi', cards: [], notes: [], rc: 127, timedOut: false, place: null },
  processes: null,
  units: {},
  at: null,
}

function unread(tool: string): Failure {
  return {
    kind: 'shape',
    thing: tool,
    observed: 'Pilotflame does not read what this tool prints',
    next: 'install the gate that came with this version (deploy/host/setup)',
  }
}
