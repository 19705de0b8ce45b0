/**
 * The JSON text of others, read without ever throwing. Deeper than 64 levels is refused, whatever it says (trust.md T24),
 * and so are more than 100,000 values: 4 MiB of `{},` become half a gigabyte once they are read and checked.
 */
export function readJson(text: string): JsonRead {
  const problem = mayBeHuge(text) ? hugeness(text) : null
  if (problem !== null) return { ok: false, problem }
  try {
    const value: unknown = JSON.parse(text)
    return { ok: true, value }
  } catch {
    return { ok: false, problem: 'not-json' }
  }
}

export type JsonRead =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: JsonProblem }

export type JsonProblem = 'not-json' | 'too-deep' | 'too-many'

const MOST_LEVELS = 64
const MOST_VALUES = 100_000

/** Nearly every text has too few brackets to be deep at all, is too short for many values, and is not looked at twice. */
function mayBeHuge(text: string): boolean {
  return text.length > MOST_VALUES || hasMore(text, '{', MOST_LEVELS / 2) || hasMore(text, '[', MOST_LEVELS / 2)
}

/** Counts a value for each bracket that opens and each comma, of which there are no more than values. */
function hugeness(text: string): JsonProblem | null {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    const step = stepOf(sign)
    depth += step
    if (step > 0 || sign === ',') values += 1
    if (sign === '"') at = endOfString(text, at)
    if (depth > MOST_LEVELS) return 'too-deep'
    if (values > MOST_VALUES) return 'too-many'
  }
  return null
}

function stepOf(sign: string | undefined): number {
  if (sign === '{' || sign === '[') return 1
  return sign === '}' || sign === ']' ? -1 : 0
}

function hasMore(text: string, sign: string, limit: number): boolean {
  let at = -1
  for (let count = 0; count <= limit; count += 1) {
    at = text.indexOf(sign, at + 1)
    if (at === -1) return false
  }
  return true
}

/** Position of the closing quote of the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1)
  return at === -1 ? text.length : at
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes += 1
  return slashes % 2 === 1
}
