import type { Rule } from '../../domain/finding.ts'
import { endedAnswer, tailOf } from '../answer.ts'
import { scriptsOf, strayLetter } from '../scripts.ts'
import { suspectOf } from '../suspects.ts'

/** So many scripts that the prompt does not use, in one answer. */
const SCRIPTS = 3
/** Questions about languages are answered in many scripts. */
const ABOUT_LANGUAGES = /language|translat|alphabet|script|unicode|multilingual|emoji|character/i

/** Tokens drawn at random: many scripts in one text, or a letter of a foreign one inside a word. */
export const gibberish: Rule = {
  codes: ['model.gibberish'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null || ABOUT_LANGUAGES.test(answer.request.prompt)) return []
    const { content, reasoning } = answer.completion
    const text = `${reasoning ?? ''} ${content ?? ''}`
    const sign = signOf(text, answer.request.prompt)
    if (sign === null) return []
    const suspect = suspectOf(evidence.engine)
    return [
      {
        code: 'model.gibberish',
        verdict: 'broken',
        cause:
          'The text is no language: tokens that do not belong together. The weights, their quantisation or the computation are wrong.',
        because: [sign, `it ends with "${tailOf(text)}"`, ...(suspect === null ? [] : [suspect.because])],
        remedy: suspect === null ? REMEDY : [suspect.remedy],
        confidence: 'likely',
      },
    ]
  },
}

const REMEDY = [
  'Look into the engine log of the start for weights or scales that were not found; compare the engine version with the model card.',
  'Several GPUs: start once with --tp-size 1 (or NCCL_P2P_DISABLE=1). Quantised model: compare with the unquantised one.',
]

function signOf(text: string, prompt: string): string | null {
  const known = scriptsOf(prompt)
  const foreign = [...scriptsOf(text)].filter((script) => !known.has(script))
  if (foreign.length > SCRIPTS) return `${foreign.length} scripts in one answer: ${foreign.join(', ')}`
  const stray = strayLetter(text)
  return stray === null || scriptsOf(prompt).has(stray.script)
    ? null
    : `a ${stray.script} letter inside the word "${stray.word}"`
}
