import type { Code } from '../../domain/code.ts'
import type { TrialRun } from '../../domain/experiment.ts'
import { sentence } from '../../domain/failure.ts'
import { exitStatus } from '../../domain/verdict.ts'
import { isBlank } from '../answer.ts'

/** What the runs of a trial came to. */
interface Tally {
  readonly runs: readonly TrialRun[]
  readonly good: readonly TrialRun[]
  readonly bad: readonly TrialRun[]
  /** `3 of 5` */
  readonly badOfAll: string
  readonly goodOfAll: string
  /** what the bad ones showed: `4 × model.immediate-eos` */
  readonly shown: string
}

export function tallyOf(runs: readonly TrialRun[]): Tally {
  const good = runs.filter(isGood)
  const bad = runs.filter((run) => !isGood(run))
  const of = (part: readonly TrialRun[]): string => `${part.length} of ${runs.length}`
  return { runs, good, bad, badOfAll: of(bad), goodOfAll: of(good), shown: shownBy(bad) }
}

/** Whether an answer is one, and the right one where a right one is known. */
function isGood({ asked, smoke, diagnosis }: TrialRun): boolean {
  if (smoke.failure !== null || exitStatus(diagnosis.verdict) !== 0) return false
  return asked.expected === undefined || asked.expected.test(plainDigits(smoke.completion?.content ?? ''))
}

/** Whether there is an answer to be right or wrong at all. */
export function hasAnswer({ smoke }: TrialRun): boolean {
  return smoke.failure === null && !isBlank(smoke.completion?.content ?? null)
}

/** Arabic, Persian, full-width and other forms of digits as 0 to 9. */
function plainDigits(text: string): string {
  return text.normalize('NFKC').replace(/[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/g, (digit) => {
    const code = digit.charCodeAt(0)
    return String(code - (code >= 0x0966 ? 0x0966 : code >= 0x06f0 ? 0x06f0 : 0x0660))
  })
}

function shownBy(bad: readonly TrialRun[]): string {
  const counts = new Map<string, number>()
  for (const run of bad) {
    const named = nameOf(run)
    counts.set(named, (counts.get(named) ?? 0) + 1)
  }
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one)
  return sorted.map(([name, times]) => `${times} × ${name}`).join(', ')
}

function nameOf({ smoke, diagnosis }: TrialRun): string {
  if (exitStatus(diagnosis.verdict) === 0) return 'a wrong answer'
  return smoke.failure !== null && diagnosis.code === 'log.need-more' ? smoke.failure.kind : diagnosis.code
}

/** The codes that at least half of these runs show. */
export function commonCodes(runs: readonly TrialRun[]): readonly Code[] {
  const codes = new Set(runs.flatMap(({ diagnosis }) => (exitStatus(diagnosis.verdict) === 0 ? [] : diagnosis.code)))
  return [...codes].filter((code) => 2 * runs.filter(({ diagnosis }) => diagnosis.code === code).length >= runs.length)
}

/** `40 %, 95 % interval 12 to 77 %`, by Wilson's score interval, which holds for few tries too. */
export function errorRate(bad: number, all: number): string {
  const { low, high } = wilson(bad, all)
  return `error rate ${percent(all === 0 ? 0 : bad / all)}, 95 % interval ${Math.round(100 * low)} to ${percent(high)}`
}

const Z = 1.959964

/** Between which shares the true one lies, in 95 of 100 such intervals. */
export function wilson(bad: number, all: number): { readonly low: number; readonly high: number } {
  if (all === 0) return { low: 0, high: 1 }
  const share = bad / all
  const square = Z * Z
  const middle = (share + square / (2 * all)) / (1 + square / all)
  const half = (Z / (1 + square / all)) * Math.sqrt((share * (1 - share)) / all + square / (4 * all * all))
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}

/** Where nothing came of a trial: the first failure in words; null where something came. */
export function onlyFailures(runs: readonly TrialRun[]): string | null {
  const [first] = runs
  if (first === undefined) return 'nothing was asked'
  if (runs.some(({ smoke }) => smoke.failure === null)) return null
  const { failure } = first.smoke
  return failure === null ? null : `all ${runs.length} requests failed: ${sentence(failure)}`
}
