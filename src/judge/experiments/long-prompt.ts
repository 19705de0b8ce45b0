import type { Code } from '../../domain/code.ts'
import type { Conclusion, Experiment, Puzzle, Trial, TrialRun } from '../../domain/experiment.ts'
import { count } from '../../domain/report.ts'
import type { SmokeRequest } from '../../domain/smoke.ts'
import { commonCodes, hasAnswer, tallyOf } from './counts.ts'
import { SUBTLE } from './families.ts'
import { again, answeredSmoke, both, without } from './requests.ts'

const BUDGET = 512
/** As long as most prompts of real work, in tokens; less where the context is smaller. */
const LONG = 8_000
const SHORT = 1_000
/** Tokens of one line of the filler, counted low: it has many digits. */
const LINE = 24

const OF_LENGTH: readonly Code[] = [
  'context.silently-truncated',
  'context.exceeded',
  'mem.static-too-large',
  'mem.kv-too-small',
]

/** One long prompt with a word to find near its beginning, which is what gets cut off. */
export const longPrompt: Experiment = {
  name: 'long-prompt',
  title: 'A long prompt',
  cost: 'loading',
  when: 'where the context has room for a long prompt',
  separates: [...OF_LENGTH, ...SUBTLE, 'engine.hang', 'engine.kernel-crash'],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    return smoke === null ? null : trialFor(puzzle, smoke.request)
  },
  conclude: (_, runs) => concluded(runs),
}

function trialFor({ evidence }: Puzzle, request: SmokeRequest): Trial | null {
  const context = evidence.engine?.context ?? LONG + BUDGET
  const tokens = Math.min(LONG, Math.floor(0.6 * (context - BUDGET)))
  if (tokens < SHORT) return null
  const asked = again(request, { prompt: haystack(Math.floor(tokens / LINE)), budget: BUDGET, thinking: false })
  return { requests: [{ ...asked, expected: /amber[\s\-‐–—]*4817/i }], parallel: 1 }
}

/** No two lines are alike, or the prompt itself would look like a loop. */
function haystack(lines: number): string {
  const place = Math.floor(lines / 10)
  const filler = Array.from({ length: lines }, (_, at) =>
    at === place
      ? 'Note: the code word of the store is AMBER-4817.'
      : `Line ${at + 1}: shelf ${(at * 37) % 991} holds ${(at * 53) % 97} boxes of kind ${(at * 29) % 83}.`,
  )
  return `${filler.join('\n')}\n\nWhat is the code word of the store? Answer with the code word only.`
}

function concluded(runs: readonly TrialRun[]): Conclusion {
  const [first] = runs
  if (first === undefined) return { said: 'nothing was asked', confirms: [], rulesOut: [] }
  const { good, bad, goodOfAll, badOfAll, shown } = tallyOf(runs)
  const sent = Math.round(first.asked.request.prompt.length / 3.5)
  const read = first.smoke.completion?.tokens.prompt ?? null
  const size = read === null ? `about ${count(sent)} tokens` : `${count(read)} tokens`
  if (good.length === runs.length) {
    const said = `${goodOfAll} found the word in a prompt of ${size}: its length is no cause`
    return { said, confirms: [], rulesOut: [...OF_LENGTH, 'engine.hang', 'engine.kernel-crash'] }
  }
  if (first.smoke.failure !== null) {
    const confirms = both(commonCodes(bad), longPrompt.separates)
    return { said: `${badOfAll} fail on a prompt of about ${count(sent)} tokens, ${shown}`, confirms, rulesOut: [] }
  }
  if (read !== null && read < sent / 2) {
    const said = `${badOfAll} did not find the word: the server read ${count(read)} of about ${count(sent)} tokens`
    return { said, confirms: ['context.silently-truncated'], rulesOut: ['context.exceeded'] }
  }
  const how = hasAnswer(first) ? 'did not find the word' : 'gave no answer'
  const confirms = both(commonCodes(bad), longPrompt.separates)
  const said = `${badOfAll} ${how} in a prompt of ${size}, ${shown}`
  return { said, confirms, rulesOut: without(['context.exceeded'], confirms) }
}
