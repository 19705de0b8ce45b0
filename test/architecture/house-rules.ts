import { codeOf } from './source.ts'

const CAST = 'no cast but `as const`'

/** Rules of the house that no linter knows, and Biome's beside them so that one run tells all. */
const RULES: readonly (readonly [rule: string, sign: RegExp])[] = [
  ['no default export', /\bexport\s+default\b|\bas\s+default\b/g],
  ['no enum', /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s/gm],
  ['no class', /^\s*(?:export\s+)?(?:abstract\s+)?class\s|=\s*class\b/gm],
  [CAST, /(?<![\w.'$])as\s+(?!const\b)[\w{[('"]/g],
  ['no non-null assertion', /[\w)\]]!(?=[.;,)\]\s[])(?!\s*=)/g],
  ['no any', /[:<|,]\s*any\b(?!\s*[:(])/g],
  ['no else after return', /^(\s*)\s\s(?:return|throw)\b[^\n]*\n\1\} else\b/gm],
  ['`import type` apart', /^import\s*\{[^}]*\btype\s/gm],
]

const LONGEST_FILE = 300

/** Each broken rule as `LINE: rule`. */
export function brokenRules(source: string): readonly string[] {
  const code = codeOf(source)
  const lines = source.trimEnd().split('\n').length
  const broken = RULES.flatMap(([rule, sign]) =>
    [...withoutRenames(code, rule).matchAll(sign)].map((found) => `${lineOf(code, found.index)}: ${rule}`),
  )
  return lines > LONGEST_FILE ? [...broken, `${lines}: no file over ${LONGEST_FILE} lines`] : broken
}

/** `import * as x` and `{ a as b }` are names, not casts. */
function withoutRenames(code: string, rule: string): string {
  if (rule !== CAST) return code
  return code.replace(/^(?:import|export)\s(?:type\s)?(?:\{[^}]*\}|\*[^\n]*)/gm, (text) => text.replace(/[^\n]/g, ' '))
}

function lineOf(code: string, index: number): number {
  const found = code.slice(index).search(/\S/) + index
  return code.slice(0, found).split('\n').length
}
