import type { Finding, Rule } from '../../domain/finding.ts'
import { endedAnswer, quoted } from '../answer.ts'
import { languageOf, namesLanguage } from '../language-of.ts'
import { scriptsWanted } from '../languages.ts'
import type { Language } from '../named-language.ts'
import { languageWanted } from '../named-language.ts'
import { otherThan } from '../other-language.ts'
import { outsideCode } from '../outside-code.ts'
import { isJumble, scriptShares } from '../scripts.ts'
import { isQuotedData } from '../structure.ts'

/** The answer is sound, and in another language than the question. */
export const wrongLanguage: Rule = {
  codes: ['output.wrong-language'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null) return []
    const { prompt } = answer.request
    const text = outsideCode((answer.completion.content ?? '').slice(0, LOOKED_AT))
    if (!isAsked(prompt) || isJumble(text) || isQuotedData(text)) return []
    const wanted = languageWanted(prompt)
    if (wanted !== null) return ofNamed(wanted, text, prompt)
    const seen = namesLanguage(prompt) ? null : (otherScript(worded(text), prompt) ?? otherWords(text, prompt))
    if (seen === null) return []
    return [
      {
        code: 'output.wrong-language',
        verdict: 'degraded',
        cause: `The answer is in another language than the question: ${seen}.`,
        because: [`asked: ${quoted(prompt)}`, `answered: ${quoted(text)}`],
        remedy: [
          'Say the language in the system prompt ("Answer in English."), and send the sampling of the model card; a high temperature mixes languages.',
          'If only this server does it: compare with the unquantised checkpoint and with the chat template of the model card; small quantisations slip into the language of most of their training.',
        ],
        confidence: 'likely',
        unless: 'the question wants that language without naming it: read both.',
      },
    ]
  },
}

function ofNamed(wanted: Language, text: string, prompt: string): readonly Finding[] {
  const written = otherThan(wanted, text, prompt)
  if (written === null) return []
  return [
    {
      code: 'output.wrong-language',
      verdict: 'degraded',
      cause: `The prompt asks for ${wanted.name}, and the answer is in ${written}, or much of it.`,
      because: [`asked: ${quoted(prompt)}`, `answered: ${quoted(text)}`],
      remedy: [
        `Say it in the system prompt too ("Answer in ${wanted.name}."), with the sampling of the model card; a high temperature mixes languages.`,
        'If it stays: compare with the unquantised checkpoint and with the chat template of the model card.',
      ],
      confidence: 'likely',
      unless: 'the question is about words of that language: read both.',
    },
  ]
}

/** Letters that stand alone are data, as in a table of characters; where a letter is a syllable they may be words. */
function worded(text: string): string {
  return text.replace(ALONE, '')
}

const ALONE =
  /(?<![\p{L}\p{M}])(?!\p{scx=Han}|\p{scx=Hangul}|\p{scx=Hiragana}|\p{scx=Katakana})[\p{L}\p{M}](?![\p{L}\p{M}])/gu

/** The beginning of an answer tells its language. */
const LOOKED_AT = 8000

/** Figures alone are of no language; long prompts hold documents, and those may call for anything. */
function isAsked(prompt: string): boolean {
  return prompt.length <= LONGEST_PROMPT && /\p{L}{2}/u.test(prompt)
}

const LONGEST_PROMPT = 2000
const FEWEST_LETTERS = 24
const MOST_FOREIGN = 0.35

/** `35 % of its letters are Han` */
function otherScript(text: string, prompt: string): string | null {
  const { letters, shares } = scriptShares(text)
  const wanted = scriptsWanted(prompt)
  const [script, share] = shares.find(([one, part]) => part > MOST_FOREIGN && !wanted.has(one)) ?? []
  if (script === undefined || share === undefined || letters * share < FEWEST_LETTERS / weightOf(script)) return null
  // code, names and figures are Latin anywhere
  if (script === 'Latin' && (share < MOST_LATIN || languageOf(text, FEWEST_WORDS) === null)) return null
  return `${Math.round(share * 100)} % of its letters are ${script}`
}

const MOST_LATIN = 0.9
const FEWEST_WORDS = 8

/** An ideograph says as much as three letters. */
function weightOf(script: string): number {
  return script === 'Han' || script === 'Hangul' || script === 'Hiragana' || script === 'Katakana' ? 3 : 1
}

/** Both in Latin letters: by their small words. */
function otherWords(text: string, prompt: string): string | null {
  const [asked, answered] = [languageOf(prompt, 3), languageOf(text, 8)]
  return asked === null || answered === null || asked === answered ? null : `${answered}, not ${asked}`
}
