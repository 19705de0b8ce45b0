export type Fields = Readonly<Record<string, unknown>>

/** The fields of a JSON object; null where it is none. */
export function recordOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A number, or a text of digits. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Nested fields as lines `name.inner: value`, so that rules can look for words in whatever a caller knows. */
export function flat(fields: Fields): readonly string[] {
  return linesOf('', fields, 0).slice(0, MOST)
}

const MOST = 200
const DEEPEST = 4
/** of one line, in characters: patterns are tried on each */
const LONGEST = 1000

function linesOf(name: string, value: unknown, depth: number): readonly string[] {
  if (value === null || value === undefined || depth > DEEPEST) return []
  if (typeof value !== 'object')
    return String(value)
      .split('\n', MOST)
      .map((line) => `${name}: ${line.slice(0, LONGEST)}`)
  const prefix = name === '' || Array.isArray(value) ? name : `${name}.`
  return Object.entries(value).flatMap(([key, inner]) =>
    linesOf(Array.isArray(value) ? prefix : `${prefix}${key}`, inner, depth + 1),
  )
}
