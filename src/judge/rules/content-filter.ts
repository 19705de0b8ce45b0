import type { Rule } from '../../domain/finding.ts'
import { endedAnswer, endOf, saidOf } from '../answer.ts'

/** A filter ended the answer: a gateway's, as a rule; SGLang's schema too allows the word (sglang.md 2.1). */
export const contentFilter: Rule = {
  codes: ['proxy.content-filter'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null || !/^content[_-]?filter/i.test(answer.completion.finish ?? '')) return []
    return [
      {
        code: 'proxy.content-filter',
        verdict: 'inconclusive',
        cause: 'A content filter ended the answer or kept it back; what the model would have said is not known.',
        because: [endOf(answer), saidOf('content', answer.completion.content)],
        remedy: [
          'Ask something harmless (smoke "Say hello"); if that is filtered too, the filter is set wrongly.',
          'Ask the engine directly, past the gateway, to see what the model says.',
        ],
        confidence: 'certain',
        missing: ['the answer of the engine itself'],
      },
    ]
  },
}
