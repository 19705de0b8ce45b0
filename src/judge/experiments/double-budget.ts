import type { Conclusion, Experiment, Puzzle, TrialRun } from '../../domain/experiment.ts'
import { count } from '../../domain/report.ts'
import { budgetSpent, isBlank } from '../answer.ts'
import { onlyFailures, tallyOf } from './counts.ts'
import { BUDGET } from './families.ts'
import { again, answeredSmoke, budgetOf, found, repeated } from './requests.ts'

/** Refused by the commands beyond it. */
const LARGEST = 1_000_000
/** Up to so many tokens a second try is cheap. */
const CHEAP = 2048
/** Hardly any thought is longer than this, so a budget of it that is spent again speaks for a circle. */
const LONG_THOUGHT = 8192

/** A long thought, or an endless one. */
export const doubleBudget: Experiment = {
  name: 'double-budget',
  title: 'Twice the budget',
  cost: 'prompt',
  when: 'where the budget was spent, and twice as much is still within the context',
  separates: [...BUDGET, 'model.eos-in-reasoning', 'model.degenerate-loop', 'template.eos-missing'],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    if (smoke?.completion == null || !budgetSpent(smoke.completion, smoke.request)) return null
    const budget = 2 * budgetOf(smoke.request)
    const context = puzzle.evidence.engine?.context ?? null
    const prompt = smoke.completion.tokens.prompt ?? Math.ceil(smoke.request.prompt.length / 3)
    if (budget > LARGEST || (context !== null && prompt + budget > context)) return null
    return repeated(budget <= CHEAP ? 2 : 1, again(smoke.request, { budget }))
  },
  conclude: (puzzle, runs) => concluded(puzzle, runs),
}

function concluded(puzzle: Puzzle, runs: readonly TrialRun[]): Conclusion {
  const why = onlyFailures(runs)
  if (why !== null) return { said: why, confirms: [], rulesOut: [] }
  const budget = count(Math.max(...runs.map(({ asked }) => asked.request.budget)))
  const { good, goodOfAll } = tallyOf(runs)
  if (good.length === runs.length) {
    const said = `${goodOfAll} answered within ${budget} tokens${usedBy(good)}: the budget was too small`
    const rulesOut = ['model.degenerate-loop', 'model.eos-in-reasoning', 'template.eos-missing'] as const
    return { said, confirms: found(puzzle, BUDGET), rulesOut }
  }
  const spent = runs.filter(isSpent)
  const [endless] = spent
  if (endless !== undefined) return stillSpent(endless, `${spent.length} of ${runs.length}`)
  const inThinking = runs.filter(({ diagnosis }) => diagnosis.code === 'model.eos-in-reasoning')
  if (inThinking.length > 0) {
    const said = `${inThinking.length} of ${runs.length} ended inside the thinking, far below ${budget} tokens`
    return { said, confirms: ['model.eos-in-reasoning'], rulesOut: BUDGET }
  }
  return { said: `${goodOfAll} answered within ${budget} tokens: it is not settled`, confirms: [], rulesOut: [] }
}

function isSpent({ smoke }: TrialRun): boolean {
  return smoke.cut !== null || (smoke.completion !== null && budgetSpent(smoke.completion, smoke.request))
}

function stillSpent({ smoke, asked }: TrialRun, many: string): Conclusion {
  const budget = count(asked.request.budget)
  if (smoke.cut !== null) {
    const said = `${many} went round in a loop and were cut: more budget does not help`
    return { said, confirms: ['model.degenerate-loop'], rulesOut: BUDGET }
  }
  if (asked.request.budget < LONG_THOUGHT) {
    return { said: `${many} spent ${budget} tokens as well: double it once more`, confirms: [], rulesOut: [] }
  }
  const said = `${many} spent ${budget} tokens as well: it does not come to an end`
  const endless = isBlank(smoke.completion?.content ?? null) ? 'model.degenerate-loop' : 'template.eos-missing'
  return { said, confirms: [endless], rulesOut: BUDGET }
}

function usedBy(runs: readonly TrialRun[]): string {
  const used = runs.flatMap(({ smoke }) => smoke.completion?.tokens.completion ?? [])
  return used.length === 0 ? '' : `, using ${used.map(count).join(' and ')}`
}
