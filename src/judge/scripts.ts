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

export type Script = (typeof SCRIPTS)[number]

const LETTERS = SCRIPTS.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'gu')] as const)

/** The scripts in which a text is written. */
export function scriptsOf(text: string): ReadonlySet<Script> {
  return new Set(LETTERS.filter(([, letter]) => text.search(letter) >= 0).map(([script]) => script))
}

/** How many letters a text has, and which part of them each script, the largest first. */
export function scriptShares(text: string): {
  readonly letters: number
  readonly shares: readonly (readonly [Script, number])[]
} {
  const counts = LETTERS.map(([script, letter]) => [script, text.match(letter)?.length ?? 0] as const)
  const letters = counts.reduce((sum, [, count]) => sum + count, 0)
  const shares = counts.flatMap(([script, count]) => (count === 0 ? [] : [[script, count / letters] as const]))
  return { letters, shares: shares.toSorted(([, one], [, other]) => other - one) }
}

/**
 * Whether words of different scripts follow each other with nothing but a blank between, more often than not: tokens
 * drawn at random do. Lists of greetings have commas or line ends there, sentences about words stay in their own script.
 */
export function isJumble(text: string): boolean {
  const words = text.split(/\s+/)
  const joints = words.slice(1).flatMap((word, at) => {
    const [before, after] = [LAST_LETTER.exec(words[at] ?? ''), FIRST_LETTER.exec(word)]
    return before === null || after === null ? [] : [familyOf(before[0]) !== familyOf(after[0])]
  })
  const changes = joints.filter(Boolean).length
  return changes >= FEWEST_CHANGES && changes > joints.length / 2
}

const FEWEST_CHANGES = 4
const FIRST_LETTER = /^\p{L}/u
const LAST_LETTER = /\p{L}(?=\p{M}*$)/u

/** Japanese alone is written in three scripts. */
function familyOf(letter: string): Script | 'CJK' | null {
  const script = LETTERS.find(([, test]) => letter.search(test) === 0)?.[0] ?? null
  return script === 'Han' || script === 'Hiragana' || script === 'Katakana' ? 'CJK' : script
}

/** Scripts that stand beside Latin letters without a blank in sound text. */
const MIXES: ReadonlySet<Script> = new Set(['Latin', 'Greek', 'Han', 'Hangul', 'Hiragana', 'Katakana'])

/** A letter of a script that the text hardly uses elsewhere, in the middle of a Latin word ("Seนna"). */
export function strayLetter(text: string): { readonly script: Script; readonly word: string } | null {
  for (const [script, letter] of LETTERS) {
    const found = MIXES.has(script) ? [] : [...text.matchAll(letter).take(MOST_STRAY + 1)]
    if (found.length > MOST_STRAY) continue
    const seen = found.filter(([one]) => !LIKE_LATIN.test(one))
    const word = seen.map(({ index }) => wordAround(text, index)).find((one) => one !== null)
    if (word !== undefined && word !== null) return { script, word }
  }
  return null
}

const MOST_STRAY = 3
/** People type them for Latin ones, and nobody sees it. */
const LIKE_LATIN = /[асеоруіјѕхһԁАВЕКМНОРСТУХІЈЅ]/

function wordAround(text: string, at: number): string | null {
  const before = LATIN_BEFORE.exec(text.slice(Math.max(0, at - SHOWN), at))
  const after = LATIN_AFTER.exec(text.slice(at, at + SHOWN))
  return before === null || after === null ? null : before[0] + after[0]
}

const SHOWN = 20
const LATIN_BEFORE = /\p{Script=Latin}+$/u
const LATIN_AFTER = /^.\p{M}*\p{Script=Latin}+/u
