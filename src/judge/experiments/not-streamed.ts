import type { Code } from '../../domain/code.ts'
import type { Conclusion, Experiment, Puzzle, TrialRun } from '../../domain/experiment.ts'
import { commonCodes, errorRate, onlyFailures, tallyOf } from './counts.ts'
import { PARSER, STREAM } from './families.ts'
import { again, answeredSmoke, both, found, repeated, without } from './requests.ts'

const TIMES = 3

/** What would spoil a whole answer too. */
const OF_ENGINE: readonly Code[] = ['engine.hang', 'engine.kernel-crash', 'engine.aborted', 'engine.detokenizer']

/** Whether it is the stream, or what is in it. */
export const notStreamed: Experiment = {
  name: 'not-streamed',
  title: 'Not streamed',
  cost: 'prompt',
  when: 'where the answer was streamed',
  separates: [...STREAM, ...OF_ENGINE, ...PARSER, 'engine.finish-reason-missing', 'engine.usage-wrong'],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    if (smoke === null || !smoke.request.stream) return null
    return repeated(TIMES, again(smoke.request, { stream: false }))
  },
  conclude: (puzzle, runs) => concluded(puzzle, runs),
}

function concluded(puzzle: Puzzle, runs: readonly TrialRun[]): Conclusion {
  const why = onlyFailures(runs)
  if (why !== null) {
    const codes = both(commonCodes(runs), notStreamed.separates)
    return {
      said: `${why}; so it is not the streaming`,
      confirms: codes,
      rulesOut: without(['proxy.sse-mangled'], codes),
    }
  }
  const { good, bad, goodOfAll, badOfAll, shown } = tallyOf(runs)
  const rate = errorRate(bad.length, runs.length)
  if (good.length === runs.length) {
    const confirms = found(puzzle, without(notStreamed.separates, OF_ENGINE))
    const said = `${goodOfAll} whole answers are good (${rate}): only streaming fails, on the way or in the server`
    return { said, confirms, rulesOut: without(OF_ENGINE, confirms) }
  }
  if (bad.length === runs.length) {
    const confirms = both(commonCodes(bad), notStreamed.separates)
    const said = `${badOfAll} whole answers fail as well (${rate}), ${shown}: it is not the streaming`
    return { said, confirms, rulesOut: without(['proxy.sse-mangled', 'stream.ended-without-finish'], confirms) }
  }
  return { said: `${badOfAll} whole answers fail (${rate}), ${shown}: it comes by chance`, confirms: [], rulesOut: [] }
}
