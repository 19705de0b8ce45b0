import type { Failure } from '../../domain/failure.ts'
import type { Finding, Rule } from '../../domain/finding.ts'
import type { Health } from '../../gather/health.ts'
import { findingsOf } from '../../judge/diagnose.ts'
import { CHECKS } from './checks.ts'
import type { CheckLine, LineState } from './line.ts'
import { lineOf } from './line.ts'

/** One host as it was examined. */
export interface HostExam {
  readonly host: string
  /** of the worst of its lines; `failed`: it could not be looked at · `waiting`: not yet · `stopped`: somebody ended the look */
  readonly state: LineState | 'failed' | 'waiting' | 'stopped'
  readonly failure: Failure | null
  /** worst first */
  readonly lines: readonly CheckLine[]
  /** of its lines, the worst first */
  readonly findings: readonly Finding[]
}

/** Worst first. */
export const EXAM_STATES: readonly HostExam['state'][] = [
  'failed',
  'fault',
  'warn',
  'unknown',
  'stopped',
  'waiting',
  'ok',
]

/** Feeds what a host told to the rules, and says in one line a check what they found; else what was seen. */
export function examine(host: string, health: Health, rules: readonly Rule[]): HostExam {
  const said = [
    ...findingsOf(health.evidence, rules),
    // of a unit nothing else is asked here: whether it runs is no matter of the machine
    ...health.units.flatMap((unit) => findingsOf(unit, rules)).filter(({ code }) => code.startsWith('unit.kill')),
  ]
  const lines = CHECKS.flatMap((check) => lineOf(check, said, health) ?? []).toSorted(
    (one, other) => EXAM_STATES.indexOf(one.state) - EXAM_STATES.indexOf(other.state),
  )
  const state = lines[0]?.state ?? 'unknown'
  return { host, state, failure: null, lines, findings: lines.flatMap(({ findings }) => findings) }
}

const NOTHING = { failure: null, lines: [], findings: [] }

export function waiting(host: string): HostExam {
  return { ...NOTHING, host, state: 'waiting' }
}

export function stopped(host: string): HostExam {
  return { ...NOTHING, host, state: 'stopped' }
}

/** It could not be looked at. */
export function unseen(host: string, failure: Failure): HostExam {
  return { ...NOTHING, host, state: 'failed', failure }
}
