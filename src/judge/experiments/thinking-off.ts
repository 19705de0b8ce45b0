import type { Conclusion, Experiment, Puzzle, TrialRun } from '../../domain/experiment.ts'
import { isBlank } from '../answer.ts'
import { commonCodes, errorRate, onlyFailures, tallyOf } from './counts.ts'
import { again, answeredSmoke, both, found, repeated } from './requests.ts'

const TIMES = 3

/** What answers without thinking computes well: the fault lies in the thinking, its budget or its parser. */
export const thinkingOff: Experiment = {
  name: 'thinking-off',
  title: 'Thinking off',
  cost: 'prompt',
  when: 'where thinking was not off already',
  separates: [
    'model.eos-in-reasoning',
    'budget.reasoning-exhausted',
    'parser.reasoning-wrong',
    'parser.reasoning-unclosed',
    'parser.reasoning-missing',
    'parser.harmony-lost',
    'model.immediate-eos',
    'model.degenerate-loop',
    'model.weights-misloaded',
    'model.nan-logits',
  ],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    if (smoke === null || smoke.request.thinking === false) return null
    return repeated(TIMES, again(smoke.request, { thinking: false }))
  },
  conclude: (puzzle, runs) => concluded(puzzle, runs),
}

const OF_THINKING = ['model.eos-in-reasoning', 'budget.reasoning-exhausted', 'parser.reasoning-missing'] as const
const OF_COMPUTING = ['model.weights-misloaded', 'model.nan-logits'] as const

function concluded(puzzle: Puzzle, runs: readonly TrialRun[]): Conclusion {
  const why = onlyFailures(runs)
  if (why !== null) return { said: why, confirms: [], rulesOut: [] }
  const { good, bad, goodOfAll, badOfAll, shown } = tallyOf(runs)
  const rate = errorRate(bad.length, runs.length)
  const misfiled = runs.filter(isMisfiled)
  if (2 * misfiled.length > runs.length) {
    const said = `${misfiled.length} of ${runs.length} came as reasoning although thinking was off: the parser takes all for thinking, or the template does not know the switch`
    return { said, confirms: ['parser.reasoning-wrong'], rulesOut: [] }
  }
  if (good.length === runs.length) {
    const said = `${goodOfAll} answered without thinking (${rate}): the computation works, the fault lies in the thinking`
    return { said, confirms: found(puzzle, OF_THINKING), rulesOut: OF_COMPUTING }
  }
  if (bad.length === runs.length) {
    const said = `${badOfAll} fail without thinking as well (${rate}), ${shown}: thinking is not the cause`
    const confirms = both(commonCodes(bad), thinkingOff.separates)
    return { said, confirms, rulesOut: ['model.eos-in-reasoning', 'budget.reasoning-exhausted'] }
  }
  return {
    said: `${badOfAll} fail without thinking (${rate}), ${shown}: it comes by chance`,
    confirms: [],
    rulesOut: [],
  }
}

function isMisfiled({ smoke: { completion, failure } }: TrialRun): boolean {
  return failure === null && completion !== null && isBlank(completion.content) && !isBlank(completion.reasoning)
}
