import type { Conclusion, Puzzle, TrialRun } from '../../domain/experiment.ts'
import type { Choice } from './choose.ts'

/**
 * What a trial showed, also one that ended early because its tokens were used up or somebody pressed Stop. Such a one
 * settles nothing, unless what came decides by itself.
 */
export function concludedFrom({ experiment, trial }: Choice, puzzle: Puzzle, runs: readonly TrialRun[]): Conclusion {
  const conclusion = experiment.conclude(puzzle, runs)
  const [came, all] = [runs.length, trial.requests.length]
  if (came >= all) return conclusion
  if (experiment.decidesEarly?.(runs) === true)
    return { ...conclusion, said: `${conclusion.said} (ended after ${came} of ${all}, which decide)` }
  const said = `not settled: ${came} of ${all} came. If the rest were alike: ${conclusion.said}`
  return { said, confirms: [], rulesOut: [] }
}
