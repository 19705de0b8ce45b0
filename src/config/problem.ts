import type { Failure } from '../domain/failure.ts'

/** One thing that is wrong with what people set: where, what was found, and what to write instead. */
export interface Problem {
  /** as the person knows it: `pilotflame.yml`, or `environment` */
  readonly file: string
  /** from 1; null where the whole file or the environment is meant */
  readonly line: number | null
  readonly column: number | null
  /** `targets.qwen.url`, or a variable's name; empty for the whole file */
  readonly key: string
  readonly found: string
  /** the known key or name that was probably meant */
  readonly nearest: string | null
  /** an order: `write a port from 1 to 65535` */
  readonly next: string
}

/** The same as a failure of the house. */
export function failureOf({ file, line, column, key, found, nearest, next }: Problem): Failure {
  const place = line === null ? file : `${file}:${line}${column === null ? '' : `:${column}`}`
  return {
    kind: 'config',
    thing: key === '' ? place : `${place} ${key}`,
    observed: `found ${found}`,
    next: nearest === null ? next : `did you mean ${nearest}? Else ${next}`,
  }
}

/** A problem with the environment. */
export function environmentProblem(key: string, found: string, next: string): Problem {
  return { file: 'environment', line: null, column: null, key, found, nearest: null, next }
}
