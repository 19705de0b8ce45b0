import type { Failure } from '../domain/failure.ts'
import { sentence } from '../domain/failure.ts'

const carried = new WeakMap<Error, Failure>()

/** An Error that carries a failure through a stream or a library which knows only errors. */
export function errorOf(failure: Failure): Error {
  const error = new Error(sentence(failure))
  carried.set(error, failure)
  return error
}

/** The failure that an error carries, or null where it comes from elsewhere. */
export function failureOf(error: unknown): Failure | null {
  return error instanceof Error ? (carried.get(error) ?? null) : null
}
