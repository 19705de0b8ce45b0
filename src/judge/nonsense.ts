import { judgedPart } from './ends.ts'
import { scriptsWanted } from './languages.ts'
import { isJumble, scriptsOf, strayLetter } from './scripts.ts'
import { isQuotedData } from './structure.ts'

/** What shows that a text is no language. */
export interface Nonsense {
  readonly seen: string
  /** whether it is most likely none; else it may be an answer in many languages */
  readonly isSure: boolean
  /** whether the rest of the text is sound: single letters are wrong */
  readonly isSubtle: boolean
}

/** Questions about languages are answered in many scripts. */
const ABOUT_LANGUAGES = /language|translat|alphabet|script|unicode|multilingual|emoji|character/i

/** So many scripts that the prompt does not use, in one answer. */
const SCRIPTS = 3

/** Null where the text may be one; `text` is both channels. */
export function nonsenseIn(text: string, prompt: string): Nonsense | null {
  if (ABOUT_LANGUAGES.test(prompt)) return null
  const wanted = scriptsWanted(prompt)
  const foreign = scriptsOf(text.replace(LINK, ' ')).difference(wanted)
  if (foreign.size > SCRIPTS && !isQuotedData(text)) {
    const seen = `${foreign.size} scripts in one answer: ${[...foreign].join(', ')}`
    return { seen, isSure: isJumble(text), isSubtle: false }
  }
  const stray = strayLetter(text)
  if (stray !== null && !wanted.has(stray.script))
    return { seen: `a ${stray.script} letter inside the word “${stray.word}”`, isSure: true, isSubtle: true }
  return ABOUT_DOUBLING.test(prompt) ? null : doubledIn(text)
}

/** Pages link to their translations by the names of the languages. */
const LINK = /\[[^\]\n]{0,200}\]\([^)\n]{0,1000}\)/g
const ABOUT_DOUBLING = /twice|doubl|repeat|each word|every word|stutter|echo/i

/** Both channels of an answer as far as they are judged. */
export function judgedText(completion: { readonly reasoning: string | null; readonly content: string | null }): string {
  return `${judgedPart(completion.reasoning ?? '')} ${judgedPart(completion.content ?? '')}`
}

const FEWEST_DOUBLED = 6
const MOST_DOUBLED = 0.35

/** "The The capital capital of of": each token comes twice. A chorus repeats a few words, and more than once. */
function doubledIn(text: string): Nonsense | null {
  const words = text.split(/\s+/)
  const doubled = words.filter((word, at) => word === words[at + 1] && word !== words[at - 1] && WORD.test(word))
  const kinds = new Set(doubled)
  if (kinds.size < FEWEST_DOUBLED || doubled.length < MOST_DOUBLED * words.length) return null
  const [first = ''] = kinds
  const seen = `${doubled.length} of ${words.length} words stand there twice, as “${first} ${first}”`
  return { seen, isSure: true, isSubtle: false }
}

const WORD = /^[\p{L}\p{M}]{2,}$/u

/** Small oddities that sound text may have too; only where the server is under suspicion anyway do they count. */
const ODDITIES: readonly (readonly [RegExp, string])[] = [
  [/\p{L}{0,20}\p{Ll}{3}\p{Lu}{3,}\b/u, 'a word that goes on in capitals'],
  [/(?<!\p{L})(\p{L}{4,})\1(?!\p{L})/u, 'a word that stands there twice without a blank'],
  [
    /(?:[A-Za-z]#?|#)[\p{Script=Han}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Thai}\p{Script=Hangul}](?![\p{Script=Han}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Thai}\p{Script=Hangul}])/u,
    'a single foreign letter behind a Latin one',
  ],
  [/\b\p{Ll}{2,}\p{Lu}\p{Ll}{3,}/u, 'two words without a blank between'],
  [/(?:[|#*_:=~^]{1,3} ?){4,}/, 'signs in a row'],
]

const FEWEST_ODDITIES = 2

/** Two or more of them in a short stretch of text outside code; null where there are fewer. */
export function oddities(text: string, prompt: string): string | null {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, '').slice(0, LOOKED_AT)
  const found = ODDITIES.flatMap(([sign, words]) => {
    const hit = sign.exec(prose)?.[0]
    return hit === undefined || prompt.includes(hit) ? [] : [`${words} (“${hit.slice(0, 40)}”)`]
  })
  return found.length < FEWEST_ODDITIES ? null : found.join(', ')
}

const LOOKED_AT = 4000
