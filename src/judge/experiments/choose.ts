import { isFault } from '../../domain/code.ts'
import type { Cost, Experiment, Puzzle, Trial } from '../../domain/experiment.ts'
import { isAbout } from './requests.ts'

/** An experiment that applies, and what it would ask. */
export interface Choice {
  readonly experiment: Experiment
  readonly trial: Trial
}

const ORDER: Readonly<Record<Cost, number>> = { free: 0, prompt: 1, loading: 2 }

/** Those that apply and separate what was found from its rivals, the cheapest first. Nothing for what is fine. */
export function choose(puzzle: Puzzle, all: readonly Experiment[]): readonly Choice[] {
  if (!isFault(puzzle.diagnosis.code)) return []
  const telling = all.filter(({ separates }) => isAbout(puzzle, separates.filter(isFault)))
  const choices = telling.flatMap((experiment) => {
    const trial = experiment.trial(puzzle)
    return trial === null ? [] : [{ experiment, trial }]
  })
  return choices.toSorted((one, other) => priceOf(one) - priceOf(other))
}

/** By cost, then by the most tokens that it may take. */
function priceOf({ experiment, trial }: Choice): number {
  const tokens = trial.requests.reduce((sum, { request }) => sum + request.budget, 0)
  return ORDER[experiment.cost] * 1e9 + tokens
}
