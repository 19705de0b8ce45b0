const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Thai',
  'Georgian',
  'Armenian',
  'Han',
  'Hangul',
  'Hiragana',
  'Katakana',
] as const

type Script = (typeof SCRIPTS)[number]

const LETTERS = SCRIPTS.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'gu')] as const)

/** The scripts in which a text is written. */
export function scriptsOf(text: string): ReadonlySet<Script> {
  return new Set(LETTERS.filter(([, letter]) => text.search(letter) >= 0).map(([script]) => script))
}

/** Scripts that stand beside Latin letters without a blank in sound text. */
const MIXES: ReadonlySet<Script> = new Set(['Latin', 'Greek', 'Han', 'Hangul', 'Hiragana', 'Katakana'])

/** A single letter of a script that the text does not use elsewhere, in the middle of a Latin word ("Seนna"). */
export function strayLetter(text: string): { readonly script: Script; readonly word: string } | null {
  for (const [script, letter] of LETTERS) {
    if (MIXES.has(script) || text.match(letter)?.length !== 1) continue
    const at = text.search(letter)
    const before = LATIN_BEFORE.exec(text.slice(Math.max(0, at - SHOWN), at))
    const after = LATIN_AFTER.exec(text.slice(at, at + SHOWN))
    if (before !== null && after !== null) return { script, word: before[0] + after[0] }
  }
  return null
}

const SHOWN = 20
const LATIN_BEFORE = /\p{Script=Latin}+$/u
const LATIN_AFTER = /^.\p{M}*\p{Script=Latin}+/u
