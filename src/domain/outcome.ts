import type { Failure } from './failure.ts'

/** What a thing that may fail in the field returns: a value, or what went wrong with whatever had arrived by then. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure; readonly partial?: Partial<T> }

export function ok<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

export function failed<T>(failure: Failure, partial?: Partial<T>): Outcome<T> {
  return partial === undefined ? { ok: false, failure } : { ok: false, failure, partial }
}

/** What of a list could be read: one thing that nobody can read hides no other. */
export function readable<T>(list: Outcome<readonly T[]>): readonly T[] {
  return list.ok ? list.value : (list.partial ?? []).filter((one) => one !== undefined)
}
