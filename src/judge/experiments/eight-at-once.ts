import type { Code } from '../../domain/code.ts'
import type { Conclusion, Experiment, TrialRun } from '../../domain/experiment.ts'
import { commonCodes, errorRate, hasAnswer, tallyOf } from './counts.ts'
import { SUBTLE } from './families.ts'
import { again, answeredSmoke, both, without } from './requests.ts'

const AT_ONCE = 8
const BUDGET = 512

const OF_LOAD: readonly Code[] = ['load.queue-full', 'load.mamba-slots', 'mem.static-too-large', 'engine.hang']

/** Eight questions with one beginning, at once: batching, the prefix cache and the queue, with an answer known to each. */
export const eightAtOnce: Experiment = {
  name: 'eight-at-once',
  title: 'Eight at once',
  cost: 'loading',
  when: 'where the server answers requests',
  separates: [...OF_LOAD, ...SUBTLE, 'engine.aborted', 'engine.kernel-crash'],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    if (smoke === null) return null
    const requests = Array.from({ length: AT_ONCE }, (_, at) => ({
      ...again(smoke.request, { prompt: `${SHARED}${questionOf(at)}`, budget: BUDGET, thinking: false }),
      expected: new RegExp(`(?<!\\d)${FIRST + at + ADDED}(?!\\d)`),
    }))
    return { requests, parallel: AT_ONCE }
  },
  conclude: (_, runs) => concluded(runs),
}

const FIRST = 31
const ADDED = 46

/** Some hundred tokens, so that a prefix cache has something to share. */
const SHARED = `${Array.from({ length: 20 }, (_, at) => `Rule ${at + 1}: shelf ${at + 1} of the store holds ${7 * at + 3} boxes, and nobody moves them without a note.`).join('\n')}\n\n`

function questionOf(at: number): string {
  return `Leave the rules aside. What is ${FIRST + at} + ${ADDED}? Answer with the number only.`
}

function concluded(runs: readonly TrialRun[]): Conclusion {
  if (runs.length === 0) return { said: 'nothing was asked', confirms: [], rulesOut: [] }
  const { good, bad, goodOfAll, badOfAll, shown } = tallyOf(runs)
  const rate = errorRate(bad.length, runs.length)
  if (bad.length === 0) {
    const said = `${goodOfAll} are right at once (${rate}): a load of ${runs.length} is no cause`
    return { said, confirms: [], rulesOut: [...OF_LOAD, 'engine.aborted', 'engine.kernel-crash'] }
  }
  const confirms = both(commonCodes(bad), eightAtOnce.separates)
  const failed = bad.filter(({ smoke }) => smoke.failure !== null)
  if (failed.length > 0) {
    return {
      said: `${badOfAll} fail at once (${rate}), ${shown}: ${failed.length} of them without a whole answer`,
      confirms,
      rulesOut: [],
    }
  }
  const wrong = bad.filter(hasAnswer).length
  const said =
    good.length === 0
      ? `${badOfAll} are wrong at once (${rate}), ${shown}: whether one alone is right, known-answers tells`
      : `${badOfAll} are wrong at once and ${good.length} right (${rate}), ${shown}: batching or the prefix cache spoils some`
  const batching = good.length > 0 && wrong > 0 ? (['model.kernel-bug'] as const) : []
  return { said, confirms: [...new Set([...confirms, ...batching])], rulesOut: without(['load.queue-full'], confirms) }
}
