/** One import of a file, as written. */
export interface Import {
  readonly from: string
  /** whether it is loaded on first use: `await import()` */
  readonly later: boolean
}

/** Reads imports by pattern: TypeScript 7 has no parser to ask. */
export function importsOf(source: string): readonly Import[] {
  const now = /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/gm
  const later = /\bimport\(\s*['"`]([^'"`]+)['"`]/g
  return [
    ...[...source.matchAll(now)].map(([, from = '']) => ({ from, later: false })),
    ...[...source.matchAll(later)].map(([, from = '']) => ({ from, later: true })),
  ]
}

/** The source with comments and the insides of texts blanked, lines kept: what is left is code. */
export function codeOf(source: string): string {
  const quiet = /\/\*[\s\S]*?\*\/|(?<!\\)\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
  return source.replace(quiet, (text) => text.replace(/[^\n]/g, ' '))
}
