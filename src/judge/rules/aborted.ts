import type { Rule } from '../../domain/finding.ts'
import { endedAnswer, endOf, saidOf } from '../answer.ts'

/** The engine gave the request up and says so in the finish; old SGLang releases do it with HTTP 200 (sglang#2956). */
export const aborted: Rule = {
  codes: ['engine.aborted'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null || !/^(abort|error|cancel)/.test(answer.completion.finish ?? '')) return []
    return [
      {
        code: 'engine.aborted',
        verdict: 'broken',
        cause: 'The engine gave the request up before the answer was done.',
        because: [endOf(answer), saidOf('content', answer.completion.content)],
        remedy: [
          'Read the engine log of this minute: it names why the scheduler aborted (input too long, no memory, a crash).',
          'Repeat once; if it comes back, restart the engine.',
        ],
        confidence: 'certain',
        missing: ['the engine log of this minute'],
      },
    ]
  },
}
