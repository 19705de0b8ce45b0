import type { Finding, Rule } from '../../domain/finding.ts'
import { endedAnswer, quotedEnd } from '../answer.ts'
import { judgedPart } from '../ends.ts'
import { scriptsWanted } from '../languages.ts'
import { isJumble, scriptsOf, strayLetter } from '../scripts.ts'
import { suspectOf } from '../suspects.ts'

/** So many scripts that the prompt does not use, in one answer. */
const SCRIPTS = 3
/** Questions about languages are answered in many scripts. */
const ABOUT_LANGUAGES = /language|translat|alphabet|script|unicode|multilingual|emoji|character/i

/** Tokens drawn at random: words of many scripts in a jumble, or a letter of a foreign script inside a word. */
export const gibberish: Rule = {
  codes: ['model.gibberish'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null || ABOUT_LANGUAGES.test(answer.request.prompt)) return []
    const { content, reasoning } = answer.completion
    const text = `${judgedPart(reasoning ?? '')} ${judgedPart(content ?? '')}`
    const sign = signOf(text, answer.request.prompt)
    if (sign === null) return []
    const suspect = suspectOf(evidence.engine)
    const remedy = suspect === null ? REMEDY : [suspect.remedy]
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

interface Sign {
  readonly seen: string
  readonly isSure: boolean
}

function signOf(text: string, prompt: string): Sign | null {
  const wanted = scriptsWanted(prompt)
  const foreign = scriptsOf(text).difference(wanted)
  if (foreign.size > SCRIPTS) {
    return { seen: `${foreign.size} scripts in one answer: ${[...foreign].join(', ')}`, isSure: isJumble(text) }
  }
  const stray = strayLetter(text)
  if (stray === null || wanted.has(stray.script)) return null
  return { seen: `a ${stray.script} letter inside the word “${stray.word}”`, isSure: true }
}
