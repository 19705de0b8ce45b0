import { excerpt } from '../domain/excerpt.ts'
import { readJson } from '../domain/json.ts'
import type { Assembly, AssemblyOptions } from './completion.ts'
import { assemble } from './completion.ts'
import type { ChatAnswer } from './wire.ts'
import { chatAnswer } from './wire.ts'

/** An answer as it is read: what the model said, and what came beside it. */
export interface Reading {
  readonly assembly: Assembly
  /** Takes the data of one event of a stream; whether the model made any progress with it. */
  event(data: string, atMs: number): boolean
  /** Takes a whole body, parsed and as text. */
  body(json: unknown, text: string, atMs: number): void
  beside(): Beside
}

export interface Beside {
  /** the first error that was sent inside the answer */
  readonly error: string | null
  /** events that are no JSON object, and the beginning of the first of them */
  readonly broken: number
  readonly sample: string
}

export function reading(options: AssemblyOptions): Reading {
  const assembly = assemble(options)
  let beside: Beside = { error: null, broken: 0, sample: '' }
  function take(json: unknown, text: string, atMs: number): boolean {
    const read = chatAnswer.safeParse(json)
    if (read.success && !isError(read.data)) return assembly.add(read.data, atMs)
    beside = read.success
      ? { ...beside, error: beside.error ?? text }
      : { ...beside, broken: beside.broken + 1, sample: beside.sample || excerpt(text, 160) }
    return false
  }
  return {
    assembly,
    event(data, atMs) {
      if (data === '' || data === '[DONE]') return false
      const read = readJson(data)
      // undefined is no answer either
      return take(read.ok ? read.value : undefined, data, atMs)
    },
    body: take,
    beside: () => beside,
  }
}

/** Whether JSON is a whole chat answer, or an error in its place. */
export function isAnswer(json: unknown): boolean {
  const read = chatAnswer.safeParse(json)
  return read.success && (read.data.choices !== null || isError(read.data))
}

function isError({ error, object }: ChatAnswer): boolean {
  return (error !== null && error !== undefined) || object === 'error'
}
