import type { TargetTools } from '../../domain/command.ts'
import type { Conclusion, Puzzle, TrialRequest, TrialRun } from '../../domain/experiment.ts'
import type { Diagnosis } from '../../domain/finding.ts'
import { redactSmoke } from '../../domain/redact/smoke.ts'
import type { Target } from '../../domain/target.ts'
import { gatherTrial } from '../../gather/trial.ts'
import { diagnose } from '../../judge/diagnose.ts'
import type { Choice } from '../../judge/experiments/choose.ts'
import { concludedFrom } from '../../judge/experiments/concluded.ts'
import { leftOf } from '../../judge/experiments/left.ts'
import type { Purse } from './purse.ts'
import { mostOf, usedBy } from './purse.ts'

/** One experiment of a call, and how far it is. */
export interface Row {
  readonly choice: Choice
  state: State
  /** requests that were sent, and tokens that they took */
  asked: number
  tokens: number
}

/**
 * settled: what it separates was ruled out before · tokens: not enough were left · stopped: somebody pressed Stop before
 * its turn · busy: as many runs were under way on the other target as may be
 */
type State =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running'; readonly sinceMs: number }
  | { readonly kind: 'concluded'; readonly conclusion: Conclusion; readonly runs: readonly TrialRun[] }
  | { readonly kind: 'left out'; readonly why: 'settled' | 'tokens' | 'stopped' | 'busy' }

export interface Inquiry {
  readonly tools: TargetTools
  readonly puzzle: Puzzle
  readonly rows: readonly Row[]
  readonly purse: Purse
  readonly startedMs: number
  /** brings the live message up to date */
  show(): void
}

export function rowOf(choice: Choice): Row {
  return { choice, state: { kind: 'waiting' }, asked: 0, tokens: 0 }
}

/** Runs the experiments one after another, the cheapest first, until nothing is left to separate. */
export async function inquire(inquiry: Inquiry): Promise<void> {
  for (const row of inquiry.rows) {
    await runOne(row, inquiry)
    inquiry.show()
  }
}

/** What the experiments so far left of the diagnosis. */
export function left({ puzzle, rows }: Pick<Inquiry, 'puzzle' | 'rows'>): Diagnosis {
  const done = rows.flatMap(({ state }) => (state.kind === 'concluded' ? state : []))
  const runs = done.flatMap((one) => one.runs).filter(({ asked }) => asked.how === 'chat' && asked.on === undefined)
  return leftOf(
    puzzle,
    runs,
    done.map(({ conclusion }) => conclusion),
  )
}

async function runOne(row: Row, inquiry: Inquiry): Promise<void> {
  const { tools, puzzle, show } = inquiry
  const { trial } = row.choice
  const other = trial.requests.find(({ on }) => on !== undefined)?.on
  const why = tools.signal.aborted ? 'stopped' : isSettled(row, inquiry) ? 'settled' : null
  const target = other === undefined ? tools.target : tools.targets.find(({ name }) => name === other)
  const leave = target === undefined ? null : other === undefined ? () => undefined : tools.use(target)
  if (why !== null || target === undefined || leave === null) {
    leave?.()
    row.state = { kind: 'left out', why: why ?? 'busy' }
    return
  }
  row.state = { kind: 'running', sinceMs: tools.clock.monotonic() }
  show()
  const runs = await perform(row, target, inquiry).finally(leave)
  row.state =
    runs.length === 0
      ? { kind: 'left out', why: tools.signal.aborted ? 'stopped' : 'tokens' }
      : { kind: 'concluded', conclusion: concludedFrom(row.choice, puzzle, runs), runs }
}

/** Whether nothing of what it separates is left. A single one that was asked for is run in any case. */
function isSettled({ choice: { experiment } }: Row, inquiry: Inquiry): boolean {
  if (inquiry.rows.length === 1) return false
  return !left(inquiry).findings.some(({ code }) => experiment.separates.includes(code))
}

/** The runs that came to an end of their own, in the order of the trial. */
async function perform(row: Row, target: Target, inquiry: Inquiry): Promise<readonly TrialRun[]> {
  const { tools, purse, show } = inquiry
  const { requests, parallel } = row.choice.trial
  const waiting = [...requests.entries()]
  const runs = new Map<number, TrialRun>()
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, asked] = next
      if (tools.signal.aborted || !purse.reserve(mostOf(asked))) return
      row.asked += 1
      const run = await tryOnce(asked, target, inquiry)
      const used = usedBy(run.smoke)
      purse.settle(mostOf(asked), used)
      row.tokens += used
      if (run.smoke.failure?.kind !== 'stopped') runs.set(at, run)
      show()
    }
  }
  await Promise.all(Array.from({ length: parallel }, lane))
  return [...runs].toSorted(([one], [next]) => one - next).map(([, run]) => run)
}

/** Judged by itself; nothing of it is remembered. */
async function tryOnce(asked: TrialRequest, target: Target, { tools }: Inquiry): Promise<TrialRun> {
  const { signal, reach, redact, rules } = tools
  const tried = await gatherTrial({ target, asked, signal, reach, onPiece: () => undefined })
  const smoke = redactSmoke(tried.smoke, redact)
  const about = { name: target.name, url: target.url, host: target.host }
  return { ...tried, smoke, diagnosis: diagnose({ target: about, smoke }, rules) }
}
