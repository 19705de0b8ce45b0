import { languageOf } from './language-of.ts'
import type { Language } from './named-language.ts'
import type { Script } from './scripts.ts'
import { scriptShares } from './scripts.ts'

/** How an answer breaks the wish for a language; null where it does not, or where its beginning is too short to tell. */
export function otherThan({ name, script }: Language, text: string, prompt: string): string | null {
  const { letters, shares } = scriptShares(text)
  const share = (one: Script): number => shares.find(([named]) => named === one)?.[1] ?? 0
  const kana = share('Hiragana') + share('Katakana')
  const eastern = share('Han') + kana
  if (letters < FEWEST) return null
  if (name === 'Chinese' && kana > KANA * eastern && letters * kana >= 10) return 'Japanese'
  if (name === 'Japanese' && kana === 0 && letters * share('Han') >= 15 && share('Han') > 0.5) return 'Chinese'
  const own = name === 'Japanese' || name === 'Chinese' ? eastern : share(script)
  const other = shares.find(([one]) => one !== script && !(own === eastern && EASTERN.has(one)))
  if (script !== 'Latin') return own < LEAST_OWN && other !== undefined ? nameOf(other[0], kana, text) : null
  if (other !== undefined && isMuch(other, letters, prompt)) return nameOf(other[0], kana, text)
  const written = languageOf(text, FEWEST_WORDS)
  return written === null || written === name ? null : written
}

/** letters; an ideograph is one */
const FEWEST = 12
const FEWEST_WORDS = 8
/** Chinese names a Japanese shop now and then. */
const KANA = 0.15
/** Code and names are Latin anywhere. */
const LEAST_OWN = 0.1
const EASTERN: ReadonlySet<Script> = new Set(['Han', 'Hiragana', 'Katakana'])
/** Scripts of which one letter says as much as several Latin ones. */
const DENSE: ReadonlySet<Script> = new Set(['Han', 'Hiragana', 'Katakana', 'Hangul'])

/** Whether so much of an answer is in another script that it is no quotation; what the prompt is about may be quoted more. */
function isMuch([script, share]: readonly [Script, number], letters: number, prompt: string): boolean {
  const weight = DENSE.has(script) ? 3 : 1
  const weighted = (weight * share) / (weight * share + (1 - share))
  const isTopic = scriptShares(prompt).shares.some(([one]) => one === script) || TOPIC.test(prompt)
  return letters * share >= 8 * (4 - weight) && weighted > (isTopic ? 0.85 : 0.4)
}

const TOPIC =
  /chin[ae]|japan|korea|russia|arab|hindi|india|greek|greece|hebrew|thai|mandarin|ukrain|unicode|emoji|translit/i

function nameOf(script: Script, kana: number, text: string): string {
  if (script === 'Latin') return languageOf(text, FEWEST_WORDS) ?? 'another language'
  if (script === 'Han') return kana > 0 ? 'Japanese' : 'Chinese'
  return NAMES[script] ?? script
}

const NAMES: Partial<Readonly<Record<Script, string>>> = {
  Hiragana: 'Japanese',
  Katakana: 'Japanese',
  Hangul: 'Korean',
  Cyrillic: 'Cyrillic letters',
}
