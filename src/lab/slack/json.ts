/** A JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text under a key; null where it is missing, empty or no text. */
export function textAt(fields: Fields, key: string): string | null {
  const value = fields[key]
  return typeof value === 'string' && value !== '' ? value : null
}

/** True for JSON's true and for the forms' `true` and `1`. */
export function flagAt(fields: Fields, key: string): boolean {
  const value = fields[key]
  return value === true || value === 'true' || value === '1'
}

/** A whole number, also where a form sent it as text; null where there is none. */
export function numberAt(fields: Fields, key: string): number | null {
  const value = fields[key]
  if (value === undefined || value === null || value === '') return null
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : null
}

/** A structure, also where a form sent it as JSON text. Text that is no JSON stays text. */
export function structureAt(fields: Fields, key: string): unknown {
  const value = fields[key]
  return typeof value === 'string' ? parse(value, value) : value
}

/** Parses JSON; `otherwise` where it is none. */
export function parse(text: string, otherwise: unknown): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return otherwise
  }
}

/** The objects of a list; anything else in it, or no list, is left out. */
export function fieldsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}
