import type { Finding, Rule } from '../../domain/finding.ts'
import { endedAnswer, quotedEnd } from '../answer.ts'
import { judgedText, nonsenseIn } from '../nonsense.ts'
import { suspectOf } from '../suspects.ts'

/** Tokens drawn at random: words of many scripts in a jumble, a letter of a foreign script inside a word, each word twice. */
export const gibberish: Rule = {
  codes: ['model.gibberish'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null) return []
    const text = judgedText(answer.completion)
    const sign = nonsenseIn(text, answer.request.prompt)
    if (sign === null) return []
    const suspect = suspectOf(evidence)
    const remedy = suspect === null ? REMEDY : suspect.remedy
    const because = [sign.seen, `it ends with ${quotedEnd(text)}`, ...(suspect === null ? [] : [suspect.because])]
    return [{ ...(sign.isSure ? SURE : UNSURE), code: 'model.gibberish', verdict: 'broken', because, remedy }]
  },
}

type Words = Pick<Finding, 'cause' | 'confidence' | 'unless'>

const SURE: Words = {
  cause:
    'The text is no language: tokens that do not belong together. The weights, their quantisation or the computation are wrong.',
  confidence: 'likely',
}

const UNSURE: Words = {
  cause: 'The answer is written in many scripts that the prompt does not call for; it may be no language at all.',
  confidence: 'possible',
  unless: 'the prompt calls for many languages without naming them: read the answer.',
}

const REMEDY = [
  'Look into the engine log of the start for weights or scales that were not found; compare the engine version with the model card.',
  'Several GPUs: start once with --tp-size 1 (or NCCL_P2P_DISABLE=1). Quantised model: compare with the unquantised one.',
]
