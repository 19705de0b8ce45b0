import { readJson } from '../domain/json.ts'

/** Whether a text is data by its structure: JSON that parses, or rows that all have the same number of columns. */
export function isStructured(text: string): boolean {
  const body = unfenced(text.trim())
  return (/^[[{]/.test(body) && readJson(body).ok) || hasRows(body)
}

/** Names and signs in quotes with nothing but punctuation and figures between, as in a piece of a JSON file. */
export function isQuotedData(text: string): boolean {
  const parts = text.split('"')
  if (parts.length < FEWEST_PARTS) return false
  // the piece may begin inside quotes
  return [0, 1].some((side) => parts.every((part, at) => at % 2 !== side || !WORDS.test(part)))
}

const FEWEST_PARTS = 40
/** No key of data, nor true, false and null. */
const WORDS = /\p{L}{6}|\p{L} \p{L}/u

function unfenced(text: string): string {
  const lines = text.split('\n')
  const isFenced = FENCE.test(text) && lines.length > 2 && FENCE.test(lines.at(-1) ?? '')
  return isFenced ? lines.slice(1, -1).join('\n') : text
}

const FENCE = /^(```|~~~)/

const SEPARATORS = ['|', ',', '\t', ';']
const FEWEST_ROWS = 3

function hasRows(text: string): boolean {
  const rows = text.split('\n').filter((row) => row.trim() !== '')
  if (rows.length < FEWEST_ROWS) return false
  return SEPARATORS.some((separator) => {
    const columns = rows[0]?.split(separator).length ?? 1
    return columns > 2 && rows.every((row) => row.split(separator).length === columns)
  })
}
