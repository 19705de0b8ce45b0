import type { Conclusion, Experiment, Puzzle, TrialRun } from '../../domain/experiment.ts'
import type { SamplingSettings, SmokeRequest } from '../../domain/smoke.ts'
import { commonCodes, errorRate, onlyFailures, tallyOf } from './counts.ts'
import { again, answeredSmoke, both, repeated } from './requests.ts'

/** Fewer that succeed may be luck: a fault of every second answer is missed by 3 of them in 1 of 8 cases, by 8 in 1 of 256. */
const TIMES = 8

/** Whether the way of drawing tokens is at fault: the card's own instead of what was asked for, or of the server's. */
export const cardSampling: Experiment = {
  name: 'card-sampling',
  title: 'The card’s sampling',
  cost: 'prompt',
  when: 'where the card’s sampling is known, or a temperature was given',
  separates: [
    'sampling.greedy-loop',
    'model.degenerate-loop',
    'model.eos-in-reasoning',
    'model.gibberish',
    'output.wrong-language',
  ],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    const wanted = smoke === null ? null : changed(puzzle, smoke.request)
    return smoke === null || wanted === null ? null : repeated(TIMES, again(smoke.request, wanted))
  },
  conclude: (_, runs) => concluded(runs),
}

/** Null where that was the sampling already, or nobody knows another. */
function changed({ sampling, evidence }: Puzzle, request: SmokeRequest): Partial<SmokeRequest> | null {
  if (sampling !== null)
    return { temperature: null, sampling: understood(sampling, evidence.engine?.kind === 'openai') }
  return request.temperature === null ? null : { temperature: null }
}

/** A server of the common dialect refuses what is not in it. */
function understood(sampling: SamplingSettings, onlyCommon: boolean): SamplingSettings {
  return onlyCommon ? { ...sampling, topK: null, minP: null } : sampling
}

function concluded(runs: readonly TrialRun[]): Conclusion {
  const why = onlyFailures(runs)
  if (why !== null) return { said: why, confirms: [], rulesOut: [] }
  const { bad, badOfAll, shown } = tallyOf(runs)
  const rate = errorRate(bad.length, runs.length)
  const used = runs[0]?.asked.request.sampling
  const how = used === undefined ? 'the model’s own sampling' : `the card’s sampling (${inWords(used)})`
  if (bad.length === 0) {
    const said = `${badOfAll} fail with ${how} (${rate}): it speaks for the sampling as the cause`
    return { said, confirms: ['sampling.greedy-loop'], rulesOut: ['model.degenerate-loop', 'model.gibberish'] }
  }
  if (bad.length < runs.length) {
    return {
      said: `${badOfAll} fail with ${how} (${rate}), ${shown}: it is not the sampling alone`,
      confirms: [],
      rulesOut: [],
    }
  }
  const confirms = both(commonCodes(bad), ['model.degenerate-loop', 'model.eos-in-reasoning', 'model.gibberish'])
  return {
    said: `${badOfAll} fail with ${how} as well (${rate}), ${shown}`,
    confirms,
    rulesOut: ['sampling.greedy-loop'],
  }
}

function inWords({ temperature, topP, topK, minP, presencePenalty }: SamplingSettings): string {
  const all = { temperature, top_p: topP, top_k: topK, min_p: minP, presence_penalty: presencePenalty }
  return Object.entries(all)
    .flatMap(([name, value]) => (value === null ? [] : `${name} ${value}`))
    .join(', ')
}
