import type { Rule } from '../../domain/finding.ts'
import { askedOf } from '../asked.ts'
import { bodyOf, complaintOf, hasFailed, saidNo, statusOf } from '../refusal.ts'
import { quotedTold, toldLine } from '../told.ts'

/** A log probability is no finite number, and JSON has no word for it: the answer was there and could not be written. */
export const logprobs: Rule = {
  codes: ['engine.logprobs-nonfinite'],
  check(evidence) {
    const { smoke } = evidence
    const complaint = complaintOf(smoke)
    if (!hasFailed(smoke) || complaint === null || (statusOf(smoke) ?? 0) < 500) return []
    const isSaid = NOT_FINITE.test(`${complaint.message} ${bodyOf(smoke).slice(0, LOOKED_AT)}`)
    const line = toldLine(evidence, NOT_FINITE)
    const asked = askedOf(smoke).logprobs
    if (!isSaid && line === null && !(asked && isBare(bodyOf(smoke)))) return []
    return [
      {
        code: 'engine.logprobs-nonfinite',
        verdict: 'broken',
        cause:
          'The engine cannot write its log probabilities: one of them is infinite or NaN, which JSON cannot hold, so the whole answer fails.',
        because: [
          saidNo(smoke, complaint.message),
          ...(line === null ? [] : [quotedTold(line)]),
          ...(asked ? ['the request asks for log probabilities'] : []),
        ],
        remedy: [
          'Repeat the request without logprobs. A sound answer then means that only their output is wrong: upgrade the engine.',
          'If that answer is "!!!!" or empty, the model itself computes NaN: start with --dtype bfloat16 and with --kv-cache-dtype auto.',
        ],
        confidence: isSaid || line !== null ? 'certain' : 'likely',
        ...(isSaid || line !== null
          ? {}
          : { unless: 'it fails without logprobs as well: then read the engine log of this minute.' }),
        explains: ['engine.invariant', 'engine.assert'],
      },
    ]
  },
}

const LOOKED_AT = 8000
const NOT_FINITE =
  /Out of range float values are not JSON compliant|not JSON (?:compliant|serializable).{0,60}(?:nan|inf|float)|(?:nan|-?inf(?:inity)?)\b.{0,60}(?:JSON|logprob)|logprobs?\b.{0,60}\b(?:nan|-?inf)\b|invalid (?:number|float).{0,40}json/i

/** What the web framework says where the engine was done and its answer could not be written; engines answer in JSON. */
function isBare(body: string): boolean {
  return /^\s*(?:Internal Server Error)?\s*$/i.test(body.slice(0, LOOKED_AT))
}
