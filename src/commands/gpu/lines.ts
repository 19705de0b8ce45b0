import { excerpt } from '../../domain/excerpt.ts'
import type { Table } from '../../domain/report.ts'
import { counted } from '../../domain/report.ts'
import { isUnseen } from './blind.ts'
import { CARD_COLUMNS, cardCells, listed, NOT_KNOWN, percent, sizes } from './cells.ts'
import type { HostStanding, State } from './standing.ts'

/** Up to so many hosts each has a table of its cards; more have one line each. */
export const FEW = 3

export interface Standings {
  /** worst first */
  readonly hosts: readonly HostStanding[]
  /** by host: what stands behind its state, where somebody has locked it */
  readonly lockedBy: ReadonlyMap<string, string>
  /** whether most hosts failed at once, so that none of them is called failed */
  readonly isBlind: boolean
  /** characters of what is wrong with a host, and what to do */
  readonly room: number
}

/** One table a host with all its cards; those without any have a line in a table of their own. */
export function fewTables(standings: Standings): readonly Table[] {
  const { hosts, lockedBy } = standings
  const told = hosts.filter(({ cards }) => cards.length > 0)
  const silent = hosts.filter(({ cards }) => cards.length === 0)
  return [
    ...(silent.length === 0 ? [] : [hostTable('Hosts without readings', silent, standings)]),
    ...told.map((one): Table => {
      const { host, cards } = one
      const marks = [counted(cards.length, 'GPU'), ...(lockedBy.has(host) ? ['locked'] : []), ...tenants(one)]
      return { title: `${host}: ${marks.join(' · ')}`, columns: CARD_COLUMNS, rows: cards.map(cardCells) }
    }),
  ]
}

/** Targets that are seen on no card of their host, and may stand on any. */
function tenants({ targets, cards }: HostStanding): readonly string[] {
  const seen = new Set(cards.flatMap(({ living }) => [...living.surely, ...living.perhaps]))
  const rest = targets.filter((name) => !seen.has(name))
  return rest.length === 0 ? [] : [`on no GPU: ${listed(rest)}`]
}

/** One line a host, worst first. */
export function manyTable(standings: Standings): Table {
  return hostTable('Hosts', standings.hosts, standings)
}

function hostTable(title: string, hosts: readonly HostStanding[], standings: Standings): Table {
  return {
    title,
    columns: ['Host', 'State', 'GPUs', 'Memory', 'Use', 'Targets', 'Why'],
    rows: hosts.map((one) => hostCells(one, standings)),
  }
}

function hostCells(standing: HostStanding, { lockedBy, isBlind, room }: Standings): readonly string[] {
  const { host, state, cards, targets } = standing
  const lock = lockedBy.get(host)
  const isDark = isBlind && isUnseen(standing)
  const why = [...whyOf(standing, isDark), ...(lock === undefined ? [] : [lock])].join(' ')
  return [
    host,
    `${isDark ? 'Not seen' : WORDS[state]}${lock === undefined ? '' : ', locked'}`,
    cardsOf(standing),
    cards.length === 0 ? NOT_KNOWN : memoryOf(standing),
    cards.length === 0 ? NOT_KNOWN : useOf(standing),
    listed(targets),
    excerpt(why, room),
  ]
}

/** In characters: a chat has no room for more in one cell. A terminal goes on in the next line. */
export const ROOM = { chat: 280, terminal: 2000 } as const

/** A state as a word. */
export const WORDS: Readonly<Record<State, string>> = {
  failed: 'No answer',
  fault: 'Fault',
  warn: 'Warning',
  stopped: 'Not looked at',
  waiting: 'Waiting',
  pending: 'Not known',
  unknown: 'Use not told',
  bare: 'No GPU',
  busy: 'In use',
  free: 'Free',
}

function cardsOf({ cards }: HostStanding): string {
  if (cards.length === 0) return NOT_KNOWN
  const free = cards.filter(({ state }) => state === 'free').length
  return free === 0 || free === cards.length ? String(cards.length) : `${cards.length}, ${free} free`
}

function memoryOf({ cards }: HostStanding): string {
  const [used, total] = [known(cards, 'memoryUsedMiB'), known(cards, 'memoryTotalMiB')]
  return used.length === 0 || total.length === 0 ? NOT_KNOWN : sizes(sum(used), sum(total))
}

/** of all its cards together */
function useOf({ cards }: HostStanding): string {
  const used = known(cards, 'utilization')
  return used.length === 0 ? NOT_KNOWN : percent(sum(used) / used.length)
}

function known(
  cards: HostStanding['cards'],
  field: 'memoryUsedMiB' | 'memoryTotalMiB' | 'utilization',
): readonly number[] {
  return cards.flatMap(({ gpu }) => gpu[field] ?? [])
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

/** Why nothing is known of the GPUs of a host whose tool does one look at a time. */
export const ANOTHER_LOOK = 'Another look at its GPUs is under way, so nothing is known of them now'
export const ASK_AGAIN = 'ask again in a few seconds'

/** Cause and next step in one line; of a host that nobody can see no step, since it may be well. */
function whyOf({ failure, finding, state }: HostStanding, isDark: boolean): readonly string[] {
  if (failure !== null && isDark) return [`${failure.observed}.`]
  if (failure !== null) return [`${failure.observed}. Next: ${failure.next}.`]
  if (finding !== null) {
    const [next] = finding.remedy
    return [`${finding.code}: ${finding.cause}`, ...(next === undefined ? [] : [`Next: ${next}`])]
  }
  if (state === 'pending') return [`${ANOTHER_LOOK}. Next: ${ASK_AGAIN}.`]
  return state === 'bare' ? ['No GPU tool lists a card, and none of NVIDIA or AMD is on its PCI bus.'] : []
}
