import type { Tools } from '../../domain/command.ts'
import type { Lock } from '../../domain/lock.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Action, Report, Section, Tone } from '../../domain/report.ts'
import { counted, report } from '../../domain/report.ts'
import type { Verdict } from '../../domain/verdict.ts'
import { diagnosed } from '../smoke/sections.ts'
import { blindWords, isBlind } from './blind.ts'
import { percent } from './cells.ts'
import { hostJson } from './json.ts'
import { ANOTHER_LOOK, ASK_AGAIN, FEW, fewTables, manyTable, ROOM, WORDS } from './lines.ts'
import { lockedWords, lockSections, locksOn } from './locked.ts'
import type { HostStanding, State } from './standing.ts'
import { isPool, STATES } from './standing.ts'

export interface Looked {
  readonly tools: Pick<Tools, 'ask' | 'typed' | 'clock' | 'stopLine' | 'stoppedBy'>
  /** in any order */
  readonly hosts: readonly HostStanding[]
}

/** The message that lives while the hosts are looked at: a line each, filled in as they tell. */
export function statusLive({ tools, hosts }: Looked): Report {
  const told = hosts.filter(({ state }) => state !== 'waiting').length
  const rows = worstFirst(hosts).map(({ host, state }) => [host, WORDS[state]])
  return report({
    tone: 'running',
    status: 'running',
    title:
      hosts.length === 1 ? `Looking at ${hosts[0]?.host}` : `${told} of ${counted(hosts.length, 'host')} have told`,
    lead: lead(tools, hosts),
    tables: [{ title: 'Hosts', columns: ['Host', 'State'], rows }],
    actions: [{ label: 'Stop', line: tools.stopLine, style: 'danger' }],
  })
}

/** What was seen of all hosts. `read`: the locks; null where nobody keeps any. */
export function statusReport({ tools, hosts: given }: Looked, read: Outcome<readonly Lock[]> | null): Report {
  const hosts = worstFirst(given)
  const names = hosts.map(({ host }) => host)
  const locks = read === null ? [] : locksOn(read, names)
  const blind = isBlind(hosts) ? blindWords(hosts, tools.typed) : null
  const standings = {
    hosts,
    lockedBy: lockedWords(locks),
    isBlind: blind !== null,
    room: ROOM[tools.ask.how === 'terminal' ? 'terminal' : 'chat'],
  }
  const verdict = blind === null ? verdictOf(hosts) : 'inconclusive'
  return report({
    tone: blind === null ? toneOf(hosts) : 'warning',
    status: verdict,
    title: blind?.title ?? titleOf(hosts),
    summary: blind?.summary ?? summaryOf(hosts),
    lead: lead(tools, hosts),
    facts: stoppedBy(tools, hosts),
    tables: hosts.length <= FEW ? fewTables(standings) : [manyTable(standings)],
    sections: [
      ...(blind === null ? [] : [blind.section]),
      ...(hosts.length <= FEW ? hosts.flatMap(diagnosis) : []),
      ...pools(hosts),
      ...(read === null ? [] : lockSections(read, locks, tools.clock.now())),
    ],
    actions: blind === null ? closerLooks(hosts) : [{ label: 'Doctor', line: 'doctor', style: 'primary' }],
    json: {
      verdict,
      answered: answered(hosts),
      total: hosts.length,
      cannot_see: blind !== null,
      hosts: hosts.map((one) => hostJson(one, read?.ok === true ? locks : null)),
    },
  })
}

function worstFirst(hosts: readonly HostStanding[]): readonly HostStanding[] {
  return hosts.toSorted((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state))
}

function lead({ ask }: Looked['tools'], hosts: readonly HostStanding[]): string {
  const [first] = hosts
  const what = hosts.length === 1 && first !== undefined ? first.host : counted(hosts.length, 'host')
  return `${ask.person.name} asked for the GPUs of ${what}`
}

/** `98 of 100 hosts answer · 3 faults · 41 of 776 GPUs free` */
function titleOf(hosts: readonly HostStanding[]): string {
  const cards = hosts.flatMap((one) => one.cards)
  const free = cards.filter(({ state }) => state === 'free').length
  const [faults, warnings] = [countOf(hosts, 'fault'), countOf(hosts, 'warn')]
  return [
    answers(hosts),
    ...(faults === 0 ? [] : [counted(faults, 'fault')]),
    ...(warnings === 0 ? [] : [counted(warnings, 'warning')]),
    ...(cards.length === 0 ? [] : [`${free} of ${counted(cards.length, 'GPU')} free`]),
  ].join(' · ')
}

function answers(hosts: readonly HostStanding[]): string {
  const [first] = hosts
  const told = answered(hosts)
  if (hosts.length === 1 && first !== undefined) return `${first.host} ${told === 1 ? 'answers' : 'does not answer'}`
  return `${told} of ${counted(hosts.length, 'host')} ${told === 1 ? 'answers' : 'answer'}`
}

function countOf(hosts: readonly HostStanding[], state: State): number {
  return hosts.filter((one) => one.state === state).length
}

const SILENT: readonly State[] = ['failed', 'stopped', 'waiting']

function answered(hosts: readonly HostStanding[]): number {
  return hosts.filter(({ state }) => !SILENT.includes(state)).length
}

function verdictOf(hosts: readonly HostStanding[]): Verdict {
  const [worst] = hosts
  if (worst === undefined) return 'inconclusive'
  switch (worst.state) {
    case 'failed':
      return 'unreachable'
    case 'fault':
    case 'warn':
      return worst.finding?.verdict ?? 'inconclusive'
    case 'stopped':
    case 'waiting':
    case 'pending':
      return 'inconclusive'
    case 'unknown':
    case 'bare':
    case 'busy':
    case 'free':
      return 'healthy'
  }
}

function toneOf([worst]: readonly HostStanding[]): Tone {
  switch (worst?.state) {
    case 'failed':
    case 'fault':
      return 'bad'
    case 'warn':
    case 'stopped':
    case 'waiting':
    case 'pending':
    case undefined:
      return 'warning'
    case 'unknown':
    case 'bare':
    case 'busy':
    case 'free':
      return 'good'
  }
}

/** The worst one and what to do about it. */
function summaryOf([worst]: readonly HostStanding[]): string {
  if (worst === undefined) return ''
  const { host, failure, finding, state } = worst
  if (state === 'pending') return `${host}: ${ANOTHER_LOOK}.\nNext: ${ASK_AGAIN}.`
  if (failure !== null) return `${host}: ${failure.observed}.\nNext: ${failure.next}.`
  if (finding === null) return ''
  const [next] = finding.remedy
  return next === undefined ? `${host}: ${finding.cause}` : `${host}: ${finding.cause}\nNext: ${next}`
}

function stoppedBy({ stoppedBy: who }: Looked['tools'], hosts: readonly HostStanding[]): Report['facts'] {
  const name = who()?.name ?? null
  return name === null || countOf(hosts, 'stopped') === 0 ? [] : [{ label: 'Stopped by', value: name }]
}

function diagnosis({ host, finding }: HostStanding): readonly Section[] {
  if (finding === null) return []
  const told = diagnosed(finding)
  return [{ ...told, title: `${host}: ${told.title}`, folded: true }]
}

/** Said once, whatever the number of cards: it looks like a leak, and is none. */
function pools(hosts: readonly HostStanding[]): readonly Section[] {
  const pooled = hosts.flatMap(({ host, cards }) => cards.filter(isPool).map((card) => ({ host, ...card })))
  const [first] = pooled
  if (first === undefined) return []
  const { memoryUsedMiB, memoryTotalMiB, utilization, index } = first.gpu
  const share = percent((100 * (memoryUsedMiB ?? 0)) / (memoryTotalMiB ?? 1))
  const which = `${first.host}${index === null ? '' : `, GPU ${index}`}`
  const others = pooled.length === 1 ? '' : `, and ${counted(pooled.length - 1, 'more GPU')}`
  const body = `${share} used at ${percent(utilization ?? 0)} load (${which}${others}) is as it should be: a model server reserves its pool when it starts (weights and KV cache) and keeps it. It is no leak, and not free either.`
  return [{ kind: 'text', title: 'Memory without load', body, folded: false }]
}

/** Buttons; more would hide the first. */
const PRESSED = 5
/** Of one that does not answer its line says all already. */
const WORTH_A_LOOK: readonly State[] = ['fault', 'warn', 'failed']

/** Of many the worst ones, each alone. */
function closerLooks(hosts: readonly HostStanding[]): readonly Action[] {
  if (hosts.length <= FEW) return []
  return WORTH_A_LOOK.flatMap((state) => hosts.filter((one) => one.state === state))
    .slice(0, PRESSED)
    .map(({ host }) => ({ label: `Look at ${host}`, line: `gpu status ${host}`, style: 'plain' }))
}
