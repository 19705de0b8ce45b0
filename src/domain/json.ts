/** The JSON text of others, read without ever throwing. Deeper than 64 levels is refused, whatever it says (trust.md T24). */
export function readJson(text: string): JsonRead {
  if (isTooDeep(text)) return { ok: false, problem: 'too-deep' }
  try {
    const value: unknown = JSON.parse(text)
    return { ok: true, value }
  } catch {
    return { ok: false, problem: 'not-json' }
  }
}

export type JsonRead =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: 'not-json' | 'too-deep' }

const MAX_DEPTH = 64

/** Nearly every text has too few brackets to be deep at all, and is not looked at twice. */
function isTooDeep(text: string): boolean {
  if (!hasMore(text, '{', MAX_DEPTH / 2) && !hasMore(text, '[', MAX_DEPTH / 2)) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '"') at = endOfString(text, at)
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
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
