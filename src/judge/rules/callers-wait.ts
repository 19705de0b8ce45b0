import type { Rule } from '../../domain/finding.ts'
import { isQuiet } from '../log/quiet.ts'
import { countOf, firstSign, lastSign, quotedSign } from '../log/signs.ts'

/** The KV cache is full for a moment, and the engine lets some requests begin again later. */
export const callersWait: Rule = {
  codes: ['ok.backpressure'],
  signatures: [
    {
      name: 'retracted',
      anchors: ['KV cache pool is full. Retract', 'is preempted by PreemptionMode'],
      pattern:
        /KV cache pool is full\. Retract requests\.(?: #retracted_reqs: (?<requests>\d{1,6}))?|is preempted by PreemptionMode/,
      example: '[t TP0] KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.7 -> 0.8',
      nearMiss: 'KV cache pool is full of prefixes',
    },
  ],
  check(evidence) {
    const first = firstSign(evidence, 'retracted')
    const last = lastSign(evidence, 'retracted')
    if (evidence.smoke !== undefined || first === null || last === null || !isQuiet(evidence)) return []
    const count = countOf(evidence, 'retracted')
    return [
      {
        code: 'ok.backpressure',
        verdict: 'healthy',
        cause: `The KV cache was full ${count === 1 ? 'once' : `${count} times`}; the engine put requests back and computes them again, so they come later and come right.`,
        because: [quotedSign(first), ...(last.at === first.at ? [] : [quotedSign(last)])],
        remedy: [
          'Now and then this is normal. If it is more than about once a minute, raise --schedule-conservativeness to 1.3 (SGLang), lower --max-running-requests (vLLM --max-num-seqs), or give the KV cache more memory.',
        ],
        confidence: 'certain',
        at: first.at,
      },
    ]
  },
}
