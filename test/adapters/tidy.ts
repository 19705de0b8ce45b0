import { afterEach } from 'vitest'
import type { OpenApi } from '../../src/adapters/http.ts'
import { openApi } from '../../src/adapters/http.ts'
import type { Failure } from '../../src/domain/failure.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import type { Listening } from './http-server.ts'
import { silent } from './http-server.ts'

const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** Closes something after the test, the last opened first. */
export function closeLater(thing: { close(): Promise<unknown> }): void {
  cleanups.push(() => thing.close())
}

export async function keep<T extends Listening>(place: Promise<T>): Promise<T> {
  const made = await place
  closeLater(made)
  return made
}

export function open(url: string, more: Partial<Parameters<typeof openApi>[0]> = {}): OpenApi {
  const api = openApi({ name: 'target qwen', url, apiKey: null, dial: null, log: silent, ...more })
  if (!api.ok) throw new Error(api.failure.observed)
  closeLater(api.value)
  return api.value
}

export function valueIn<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure))
  return outcome.value
}

export function failureIn(outcome: Outcome<unknown>): Failure {
  if (outcome.ok) throw new Error('it went well')
  return outcome.failure
}

/** The kind of the failure, or `ok`. */
export function kindOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? 'ok' : outcome.failure.kind
}

/** A signal that nobody aborts. */
export const never = new AbortController().signal
