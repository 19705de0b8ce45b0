import { namesSomeLanguage } from './every-language.ts'
import { wordsOf } from './unit.ts'

/** Small words that no text of some length does without; those that two of these languages share are left out. */
const SMALL_WORDS: Readonly<Record<string, readonly string[]>> = {
  English: [
    'the',
    'and',
    'of',
    'is',
    'what',
    'how',
    'why',
    'this',
    'that',
    'with',
    'for',
    'are',
    'you',
    'your',
    'it',
    'to',
    'write',
    'say',
    'which',
    'from',
    'one',
  ],
  German: [
    'der',
    'das',
    'und',
    'ist',
    'nicht',
    'ein',
    'eine',
    'mit',
    'auf',
    'für',
    'ich',
    'sie',
    'wie',
    'warum',
    'von',
    'dem',
    'zu',
    'wir',
    'auch',
    'sind',
  ],
  French: [
    'le',
    'les',
    'et',
    'est',
    'une',
    'des',
    'dans',
    'pour',
    'que',
    'qui',
    'vous',
    'je',
    'nous',
    'avec',
    'sur',
    'du',
    'pas',
    'pourquoi',
    'quelle',
    'ce',
  ],
  Spanish: [
    'el',
    'los',
    'las',
    'y',
    'es',
    'una',
    'por',
    'qué',
    'cómo',
    'está',
    'del',
    'para',
    'con',
    'pero',
    'su',
    'más',
    'son',
    'usted',
    'muy',
  ],
  Italian: [
    'il',
    'gli',
    'è',
    'che',
    'di',
    'per',
    'una',
    'sono',
    'della',
    'nel',
    'perché',
    'come',
    'questo',
    'più',
    'anche',
    'con',
    'ha',
  ],
  Portuguese: [
    'o',
    'os',
    'é',
    'uma',
    'não',
    'você',
    'para',
    'com',
    'em',
    'do',
    'da',
    'que',
    'são',
    'mais',
    'por',
    'como',
  ],
  Dutch: [
    'het',
    'een',
    'van',
    'en',
    'niet',
    'voor',
    'zijn',
    'met',
    'op',
    'dat',
    'ik',
    'waarom',
    'hoe',
    'wat',
    'maar',
    'ook',
  ],
  Polish: ['jest', 'nie', 'się', 'że', 'na', 'to', 'jak', 'dla', 'czy', 'oraz', 'ale', 'który', 'są'],
  Czech: ['je', 'jsem', 'není', 'se', 'že', 'jak', 'proč', 'pro', 'ale', 'jsou', 'který', 'když', 'nebo'],
}

const LANGUAGES = Object.entries(SMALL_WORDS).map(([name, words]) => [name, new Set(words)] as const)

/** So large a share of the words must be small ones of the language, and of no other one nearly as many. */
const SHARE = 0.2
const AHEAD = 2.5

/** The language of a text in Latin letters; null where it has fewer words than `fewest`, or is not clear. */
export function languageOf(text: string, fewest: number): string | null {
  const words = wordsOf(text.slice(0, LOOKED_AT).toLowerCase())
  if (words.length < fewest) return null
  const counts = LANGUAGES.map(([name, small]) => ({ name, count: countOf(words, small) }))
  const [first, second] = counts.toSorted((one, other) => other.count - one.count)
  if (first === undefined || second === undefined || first.count < Math.max(2, SHARE * words.length)) return null
  return first.count >= AHEAD * second.count ? first.name : null
}

const LOOKED_AT = 4000
/** A short question has two of them, an answer three. */
const SHORT = 12

/** Of a text that says one word again and again nothing is known. */
function countOf(words: readonly string[], small: ReadonlySet<string>): number {
  const found = words.filter((word) => small.has(word))
  const fewest = words.length < SHORT ? 2 : 3
  return new Set(found).size < fewest ? 0 : found.length
}

/** Whether a prompt names a language, wants a translation, or quotes: then any language may be right. */
export function namesLanguage(prompt: string): boolean {
  return NAMES.test(prompt) || namesSomeLanguage(prompt)
}

const NAMES =
  /translat|übersetz|tradu[cijz]|traduis|перевед|翻译|翻訳|번역|language|sprache|langue|idioma|lingua\b|językiem?|jazyk|\bpo \w+sku\b|\b(?:in|auf|en|em|w|v|на) (?:english|german|french|spanish|italian|portuguese|dutch|polish|czech|russian|chinese|japanese|korean|arabic|hindi|latin|greek|hebrew|turkish|swedish|deutsch|englisch|französisch|anglais|allemand|inglés|español|alemán)\b|\b(?:english|german|french|spanish|italian|portuguese|dutch|polish|czech|russian|chinese|japanese|korean|arabic|hindi|latin|greek|hebrew|turkish|swedish|danish|norwegian|finnish|hungarian|romanian|ukrainian|thai|vietnamese|esperanto|mandarin|cantonese|haiku)\b|英語|英语|英文|中文|日本語|česky|anglicky|multilingual|poem|lyrics|song|quote|original|proverb|idiom|lorem|anthem|hymn|psalm|prayer/i
