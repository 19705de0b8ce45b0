import type { Code } from '../../domain/code.ts'
import type { Conclusion, Experiment, Puzzle, TrialRun } from '../../domain/experiment.ts'
import { commonCodes, errorRate, onlyFailures, tallyOf } from './counts.ts'
import { COMPUTATION, PARSER, TEMPLATE } from './families.ts'
import { again, answeredSmoke, both, repeated } from './requests.ts'

const TIMES = 3

/** What would come of the prompt or of the request wherever it is sent. */
const OF_REQUEST: readonly Code[] = ['request.stop-in-reasoning', 'request.schema', 'ok.structured-repeat']

/** Whether it is this server, or what was asked. */
export const otherTarget: Experiment = {
  name: 'other-target',
  title: 'Another target',
  cost: 'prompt',
  when: 'where another target of the same engine may be used',
  separates: [...OF_REQUEST, ...COMPUTATION, ...TEMPLATE, ...PARSER, 'output.wrong-language'],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    const { other } = puzzle
    if (smoke === null || other === null) return null
    return repeated(TIMES, { ...again(smoke.request, { model: null }), on: other })
  },
  conclude: (puzzle, runs) => concluded(puzzle, runs),
}

function concluded({ alone, other }: Puzzle, runs: readonly TrialRun[]): Conclusion {
  const name = other ?? 'the other target'
  const why = onlyFailures(runs)
  if (why !== null) return { said: `on ${name} ${why}; it tells nothing`, confirms: [], rulesOut: [] }
  const { good, bad, goodOfAll, badOfAll, shown } = tallyOf(runs)
  const rate = errorRate(bad.length, runs.length)
  if (bad.length === 0) {
    const said = `${goodOfAll} are good on ${name}: the prompt is not the cause, this server or its model is`
    return { said, confirms: [], rulesOut: OF_REQUEST }
  }
  if (good.length === 0 && bad.every((run) => run.diagnosis.code === alone.code)) {
    const said = `${badOfAll} fail on ${name} in the same way (${rate}): it is not this server alone`
    return { said, confirms: both(commonCodes(bad), OF_REQUEST), rulesOut: [] }
  }
  return { said: `${badOfAll} fail on ${name} (${rate}), ${shown}: it is not settled`, confirms: [], rulesOut: [] }
}
