import { isFault } from '../../domain/code.ts'
import type { Experiment, Puzzle } from '../../domain/experiment.ts'
import type { Diagnosis, Evidence } from '../../domain/finding.ts'
import type { Action } from '../../domain/report.ts'
import type { Smoke } from '../../domain/smoke.ts'
import { isBlank } from '../../judge/answer.ts'
import { advisedSampling } from '../../judge/experiments/advised.ts'
import { choose } from '../../judge/experiments/choose.ts'
import { doubleBudget } from '../../judge/experiments/double-budget.ts'
import { experiments } from '../../judge/experiments/index.ts'
import { thinkingOff } from '../../judge/experiments/thinking-off.ts'

/**
 * What to press under a smoke, and nothing that could not tell anything about it: a larger budget where the budget was
 * spent, thinking where an answer came, what was sent where something was. Each line names its target: the thread may have
 * gone on to another one.
 */
export function smokeActions(evidence: Evidence, diagnosis: Diagnosis): readonly Action[] {
  const { smoke, target } = evidence
  if (smoke === undefined) return []
  const telling = tellingFor(evidence, diagnosis)
  const again = `retry --target ${target.name}`
  const doubled = Math.min(smoke.request.budget * 2, MOST_BUDGET)
  return [
    { label: 'Retry', line: again, style: 'plain' },
    ...when(telling.includes(doubleBudget), 'Retry ×2 budget', `${again} --max-tokens ${doubled}`),
    ...thinking(smoke, diagnosis, telling, again),
    ...when(smoke.exchange !== null, 'Raw', 'raw'),
    ...experimentActions(telling, target.name),
  ]
}

/** Refused by the command beyond it, in tokens. */
const MOST_BUDGET = 1_000_000

function when(isOffered: boolean, label: string, line: string): readonly Action[] {
  return isOffered ? [{ label, line, style: 'plain' }] : []
}

/** The experiments that tell the causes of this failure apart, the cheapest first, and none that loads the server. */
function tellingFor(evidence: Evidence, diagnosis: Diagnosis): readonly Experiment[] {
  // where a cause beside the model leads, such as a port or a unit, no prompt tells more of it
  if (!experiments.some(({ separates }) => separates.includes(diagnosis.code))) return []
  const puzzle: Puzzle = { evidence, diagnosis, alone: diagnosis, sampling: advisedSampling(evidence), other: null }
  return choose(puzzle, experiments).flatMap(({ experiment }) => (experiment.cost === 'loading' ? [] : experiment))
}

/** Off where it thought, or where thinking may be at fault; on again where it was asked not to, and answered. */
function thinking(
  { request, completion }: Smoke,
  { code }: Diagnosis,
  telling: readonly Experiment[],
  again: string,
): readonly Action[] {
  if (completion === null) return []
  if (request.thinking === false) return when(true, 'Thinking on', `${again} --think on`)
  const mayTell = isFault(code) ? telling.includes(thinkingOff) : !isBlank(completion.reasoning)
  return when(mayTell, 'Thinking off', `${again} --think off`)
}

/** Experiments that are offered one by one; Why? runs all. */
const OFFERED = 2

/** Those that have a button of their own beside a smoke, and one that tells little without the others. */
const NOT_OFFERED: ReadonlySet<string> = new Set(['double-budget', 'thinking-off', 'prompt-tokens'])

function experimentActions(telling: readonly Experiment[], target: string): readonly Action[] {
  if (telling.length === 0) return []
  const single = telling.filter(({ name }) => !NOT_OFFERED.has(name)).slice(0, OFFERED)
  return [
    ...when(true, 'Why?', `smoke why --target ${target}`),
    ...single.flatMap(({ title, name }) => when(true, title, `smoke why --only ${name} --target ${target}`)),
  ]
}
