import { isFault } from '../../domain/code.ts'
import type { Failure } from '../../domain/failure.ts'
import type { Finding, Rule } from '../../domain/finding.ts'
import type { Gpu, GpuEvidence } from '../../domain/gpu.ts'
import type { Target } from '../../domain/target.ts'
import type { Verdict } from '../../domain/verdict.ts'
import type { HostRead, HostSight } from '../../gather/hosts.ts'
import { diagnose } from '../../judge/diagnose.ts'
import type { Living } from './living.ts'
import { IN_USE_MIB, livingOn } from './living.ts'

/**
 * How a host or a card stands. fault: broken, or set up wrongly · warn: something to look at · bare: it has no GPU · busy: in
 * use, at work or not · unknown: nobody tells its use · waiting: it has not told yet · stopped: the look ended before · pending:
 * its tool was busy with another look, so nothing is known of its GPUs
 */
export type State =
  | 'failed'
  | 'fault'
  | 'warn'
  | 'stopped'
  | 'waiting'
  | 'pending'
  | 'unknown'
  | 'bare'
  | 'busy'
  | 'free'

/** Worst first. */
export const STATES: readonly State[] = [
  'failed',
  'fault',
  'warn',
  'stopped',
  'waiting',
  'pending',
  'unknown',
  'bare',
  'busy',
  'free',
]

export interface HostStanding {
  readonly host: string
  readonly state: State
  /** why it could not be looked at */
  readonly failure: Failure | null
  /** what is wrong with its cards, the leading cause */
  readonly finding: Finding | null
  readonly cards: readonly CardStanding[]
  /** targets on it that may be used where the ask was made */
  readonly targets: readonly string[]
}

export interface CardStanding {
  readonly gpu: Gpu
  readonly state: 'fault' | 'warn' | 'unknown' | 'busy' | 'free'
  /** of this card alone */
  readonly finding: Finding | null
  readonly living: Living
}

/** Judges what was seen of a host, by the rules and nothing else. */
export function standingOf({ host, sight }: HostSight, all: readonly Target[], rules: readonly Rule[]): HostStanding {
  const targets = all.filter((one) => one.host === host)
  const names = targets.map(({ name }) => name)
  const none = { host, failure: null, finding: null, cards: [], targets: names }
  switch (sight.kind) {
    case 'waiting':
    case 'stopped':
      return { ...none, state: sight.kind }
    case 'failed':
      return { ...none, state: 'failed', failure: sight.failure }
    case 'read':
      if (sight.read.gpus.unasked === 'in-use') return { ...none, state: 'pending' }
      return isBare(sight.read) ? { ...none, state: 'bare' } : { ...none, ...judged(host, sight.read, targets, rules) }
  }
}

/** It answered, has no tool or no card, and there is none on the bus either. */
function isBare({ gpus, bus }: HostRead): boolean {
  if (gpus.cards.length > 0 || gpus.timedOut || bus === null) return false
  return !bus.some(({ vendor }) => GPU_VENDORS.has(vendor))
}

/** NVIDIA and AMD */
const GPU_VENDORS: ReadonlySet<string> = new Set(['0x10de', '0x1002'])

function judged(
  host: string,
  read: HostRead,
  targets: readonly Target[],
  rules: readonly Rule[],
): Pick<HostStanding, 'state' | 'finding' | 'cards'> {
  const evidence = { target: { name: host, url: '', host }, gpus: read.gpus }
  const { findings } = diagnose(read.bus === null ? evidence : { ...evidence, pci: read.bus }, rules)
  const [first] = findings
  const finding = isFault(first.code) ? first : null
  const living = livingOn(read, targets)
  const cards = read.gpus.cards.map((gpu): CardStanding => {
    // what is wrong with the host need not be wrong with each of its cards
    const own = finding === null ? null : findingOn(gpu, read.gpus, host, rules)
    const on = living(gpu)
    return { gpu, finding: own, state: own === null ? useOf(gpu, on) : gradeOf(own.verdict), living: on }
  })
  return { state: finding === null ? useOfAll(cards) : gradeOf(finding.verdict), finding, cards }
}

function findingOn(card: Gpu, all: GpuEvidence, host: string, rules: readonly Rule[]): Finding | null {
  const gpus = { ...all, cards: [card], notes: [], rc: 0 }
  const { findings } = diagnose({ target: { name: host, url: '', host }, gpus }, rules)
  const [first] = findings
  return isFault(first.code) && first.code !== 'log.need-more' ? first : null
}

function gradeOf(verdict: Verdict): 'fault' | 'warn' {
  switch (verdict) {
    case 'hardware-fault':
    case 'broken':
    case 'misconfigured':
    case 'unreachable':
      return 'fault'
    case 'healthy':
    case 'ok-normalized':
    case 'degraded':
    case 'not-ready':
    case 'overloaded':
    case 'request-limit':
    case 'client-error':
    case 'needs-clarification':
    case 'inconclusive':
      return 'warn'
  }
}

/** In percent; what a desktop does is less. */
const AT_WORK = 5

function useOf({ utilization, memoryUsedMiB: used }: Gpu, living: Living): 'busy' | 'free' | 'unknown' {
  if (isAtWork({ utilization })) return 'busy'
  if (used !== null) return used >= IN_USE_MIB ? 'busy' : 'free'
  // a card that shares the memory of the host tells none of its own
  if (isLivedOn(living)) return 'busy'
  return utilization === null ? 'unknown' : 'free'
}

export function isAtWork({ utilization }: Pick<Gpu, 'utilization'>): boolean {
  return (utilization ?? 0) > AT_WORK
}

function isLivedOn({ surely, perhaps, strangers }: Living): boolean {
  return surely.length + perhaps.length + strangers.length > 0
}

/** A host is free where one card of it is: somebody looks for a place. */
function useOfAll(cards: readonly CardStanding[]): State {
  const states = new Set(cards.map(({ state }) => state))
  if (states.has('free')) return 'free'
  return states.has('busy') ? 'busy' : 'unknown'
}

/** Memory in use without work, from half of the card on: the pool that a model server reserves when it starts. */
export function isPool({
  gpu: { memoryUsedMiB: used, memoryTotalMiB: total, utilization },
  living,
}: CardStanding): boolean {
  if (used === null || total === null || utilization === null) return false
  return used >= total / 2 && !isAtWork({ utilization }) && living.surely.length + living.perhaps.length > 0
}
