/** Says whether a value read back is what it must be. */
export type Is<T> = (value: unknown) => value is T

/** A guard for every field: the compiler names the field that was forgotten. */
type Guards<T> = {
  readonly [K in keyof T]-?: Is<Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K]>
}

/** An object with these fields; other fields are not looked at. */
export function shape<T>(guards: Guards<T>): Is<T> {
  return (value): value is T =>
    isRecord(value) && Object.entries<Is<unknown>>(guards).every(([name, is]) => is(value[name]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list of such values. */
export function listOf<T>(is: Is<T>): Is<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(is)
}

/** Such a value, or null. */
export function orNull<T>(is: Is<T>): Is<T | null> {
  return (value): value is T | null => value === null || is(value)
}

/** Such a value, or a missing field. */
export function maybe<T>(is: Is<T>): Is<T | undefined> {
  return (value): value is T | undefined => value === undefined || is(value)
}

/** One of the words of a list. */
export function oneOf<T extends string>(words: readonly T[]): Is<T> {
  return (value): value is T => words.some((known) => known === value)
}

/** One of the words of a union that has no list: the compiler wants all of them here. */
export function word<T extends string>(words: Readonly<Record<T, 1>>): Is<T> {
  return (value): value is T => isText(value) && Object.hasOwn(words, value)
}

/** A text. */
export const isText: Is<string> = (value) => typeof value === 'string'
/** A number. */
export const isNumber: Is<number> = (value) => typeof value === 'number'
/** True or false. */
export const isSwitch: Is<boolean> = (value) => typeof value === 'boolean'
/** Texts by name. */
export const isTextMap: Is<Readonly<Record<string, string>>> = (value): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every(isText)

/** Reads a column of JSON text. Undefined where it holds anything else than what `is` wants. */
export function readJson<T>(column: unknown, is: Is<T>): T | undefined {
  if (!isText(column)) return undefined
  try {
    const value: unknown = JSON.parse(column)
    return is(value) ? value : undefined
  } catch {
    return undefined
  }
}
