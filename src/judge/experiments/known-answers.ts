import type { Code } from '../../domain/code.ts'
import type { Conclusion, Experiment, Puzzle, TrialRun } from '../../domain/experiment.ts'
import { commonCodes, errorRate, hasAnswer, onlyFailures, tallyOf } from './counts.ts'
import { COMPUTATION, SUBTLE } from './families.ts'
import { again, answeredSmoke, both, without } from './requests.ts'

/** Room for a short thought and a word. */
const BUDGET = 2048

/** Questions with one right answer, however it is worded: one of numbers, one each of three scripts. */
const QUESTIONS: readonly { readonly prompt: string; readonly expected: RegExp }[] = [
  { prompt: 'What is 17 * 23? Answer with the number only.', expected: /(?<!\d)391(?!\d)|三百九十一/ },
  { prompt: '法国的首都是哪座城市？', expected: /巴黎|paris/i },
  { prompt: 'Wie heißt die Hauptstadt von Frankreich?', expected: /paris|巴黎|باريس/i },
  { prompt: 'ما هي عاصمة فرنسا؟', expected: /باريس|paris|巴黎/i },
]

/** What no model that gets all of them right can have as a steady fault. */
const STEADY: readonly Code[] = without(COMPUTATION, ['model.immediate-eos', 'model.degenerate-loop'])

/** Whether the model computes: arithmetic, and the same fact asked in Chinese, German and Arabic. */
export const knownAnswers: Experiment = {
  name: 'known-answers',
  title: 'Known answers',
  cost: 'prompt',
  when: 'where the server answers requests',
  separates: [...COMPUTATION, ...SUBTLE, 'output.wrong-language', 'engine.detokenizer', 'template.wrong'],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    if (smoke === null) return null
    const requests = QUESTIONS.map(({ prompt, expected }) => ({
      ...again(smoke.request, { prompt, budget: BUDGET }),
      expected,
    }))
    return { requests, parallel: 1 }
  },
  conclude: (puzzle, runs) => concluded(puzzle, runs),
}

function concluded(_: Puzzle, runs: readonly TrialRun[]): Conclusion {
  const why = onlyFailures(runs)
  if (why !== null) return { said: why, confirms: both(commonCodes(runs), knownAnswers.separates), rulesOut: [] }
  const { good, bad, goodOfAll, badOfAll, shown } = tallyOf(runs)
  if (bad.length === 0) {
    const said = `${goodOfAll} known answers are right, also in other scripts: weights and computation are sound in the main`
    return { said, confirms: [], rulesOut: STEADY }
  }
  const confirms = both(commonCodes(bad), knownAnswers.separates)
  if (good.length === 0 && !runs.some(hasAnswer)) {
    return {
      said: `${badOfAll} known questions got no answer, ${shown}: it does not depend on the prompt`,
      confirms,
      rulesOut: [],
    }
  }
  const wrong = bad.map(({ asked }) => `“${asked.request.prompt}”`).join(', ')
  if (good.length === 0) {
    return {
      said: `${badOfAll} known answers are wrong or missing, ${shown}: the model does not compute rightly`,
      confirms,
      rulesOut: [],
    }
  }
  const rate = errorRate(bad.length, runs.length)
  return {
    said: `${badOfAll} known answers are wrong or missing (${rate}), ${shown}: ${wrong}`,
    confirms,
    rulesOut: [],
  }
}
