import type { Code } from '../../domain/code.ts'
import type { Conclusion, Experiment, Puzzle, TrialRun } from '../../domain/experiment.ts'
import { commonCodes, errorRate, onlyFailures, tallyOf } from './counts.ts'
import { COMPUTATION, PARSER, STREAM, SUBTLE, TEMPLATE } from './families.ts'
import { again, answeredSmoke, both, repeated } from './requests.ts'

/** Enough to tell "always" from "now and then"; the interval says how far. */
const TIMES = 5

/** What would show at every repeat. */
const STEADY: readonly Code[] = ['template.missing', 'parser.reasoning-missing', 'request.stop-in-reasoning']

/** Whether the fault comes each time or by chance, and how often. */
export const samePrompt: Experiment = {
  name: 'same-prompt',
  title: `Same prompt ×${TIMES}`,
  cost: 'prompt',
  when: 'where the server answers requests',
  separates: [
    ...COMPUTATION,
    ...SUBTLE,
    ...TEMPLATE,
    ...PARSER,
    ...STREAM,
    'model.eos-in-reasoning',
    'sampling.greedy-loop',
    'output.wrong-language',
    'engine.aborted',
    'engine.hang',
    'engine.detokenizer',
    'request.stop-in-reasoning',
  ],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    return smoke === null ? null : repeated(TIMES, again(smoke.request))
  },
  conclude: (puzzle, runs) => concluded(puzzle, runs),
  // one good answer is enough against "each time"
  decidesEarly: (runs) => tallyOf(runs).good.length > 0,
}

function concluded({ alone }: Puzzle, runs: readonly TrialRun[]): Conclusion {
  const { bad, badOfAll, shown } = tallyOf(runs)
  const rate = errorRate(bad.length, runs.length)
  if (runs.length === 0) return { said: 'nothing was asked', confirms: [], rulesOut: [] }
  if (bad.length === 0) {
    const said = `${badOfAll} repeats fail (${rate}): it came by chance, or it is over`
    return { said, confirms: [], rulesOut: STEADY }
  }
  const confirms = both(commonCodes(bad), samePrompt.separates)
  if (bad.length < runs.length) {
    const rulesOut = STEADY.filter((code) => !bad.some((run) => run.diagnosis.code === code))
    return { said: `${badOfAll} repeats fail (${rate}), ${shown}: it comes by chance`, confirms, rulesOut }
  }
  const why = onlyFailures(runs)
  if (why !== null) return { said: `${why} (${rate})`, confirms, rulesOut: [] }
  const same = bad.every((run) => run.diagnosis.code === alone.code)
  const how = same ? 'it is no chance' : `it shows in more than one way: ${shown}`
  return { said: `${badOfAll} repeats fail (${rate}): ${how}`, confirms, rulesOut: [] }
}
