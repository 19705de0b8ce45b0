import type { Code } from '../../src/domain/code.ts'
import type { Verdict } from '../../src/domain/verdict.ts'
import { isHealthy } from '../rivals/cases.ts'
import { markdown } from '../rivals/table.ts'
import type { Incident } from './served.ts'

/** The checks beside us, and what the table calls them. */
export const CHECKS = [
  { check: 'status', title: '`/health` is 200' },
  { check: 'ping', title: 'one-token ping' },
  { check: 'json', title: 'answer is JSON' },
  { check: 'content', title: 'content not empty' },
  { check: 'words', title: '40 words' },
  { check: 'blackboxStatus', title: 'blackbox, `/health`' },
  { check: 'blackboxChat', title: 'blackbox, chat' },
] as const

export type Check = (typeof CHECKS)[number]['check']

/** What all said of one incident. */
export interface Seen {
  readonly incident: Incident
  /** whether each check called it healthy; null where there is no such check here */
  readonly called: Readonly<Record<Check, boolean | null>>
  readonly verdict: Verdict
  readonly code: Code
}

/** How many of the incidents were told right, and how many healthy ones were called anything else. */
export interface Tally {
  readonly right: number
  readonly falseAlarms: number
}

/** Of a check it is enough that it tells healthy from not. Null where there is no such check here. */
export function tallyOf(check: Check, seen: readonly Seen[]): Tally | null {
  if (seen.every(({ called }) => called[check] === null)) return null
  return {
    right: seen.filter(({ called, incident }) => called[check] === isHealthy(incident.verdict)).length,
    falseAlarms: seen.filter(({ called, incident }) => isHealthy(incident.verdict) && called[check] === false).length,
  }
}

/** We have to give the verdict, and the very cause. */
export function ourTally(seen: readonly Seen[]): Tally {
  return {
    right: seen.filter(({ incident, verdict, code }) => incident.verdict === verdict && incident.code === code).length,
    falseAlarms: seen.filter(({ incident, verdict }) => isHealthy(incident.verdict) && !isHealthy(verdict)).length,
  }
}

/** Incidents by checks as the README shows them, what is wrong in bold. */
export function table(seen: readonly Seen[]): string {
  const tallies = [...CHECKS.map(({ check }) => tallyOf(check, seen)), ourTally(seen)]
  return markdown([
    ['incident', ...CHECKS.map(({ title }) => title), 'Pilotflame'],
    ...seen.map(({ incident, called, verdict, code }) => [
      incident.name,
      ...CHECKS.map(({ check }) => cell(called[check], isHealthy(incident.verdict))),
      `${verdict}, \`${code}\``,
    ]),
    [`right, of ${seen.length}`, ...tallies.map((tally) => (tally === null ? ABSENT : String(tally.right)))],
    ['false alarms', ...tallies.map((tally) => (tally === null ? ABSENT : String(tally.falseAlarms)))],
  ])
}

const ABSENT = 'not here'

function cell(called: boolean | null, isTrue: boolean): string {
  if (called === null) return ABSENT
  const word = called ? 'healthy' : 'alarm'
  return called === isTrue ? word : `**${word}**`
}
