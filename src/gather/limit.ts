import type { Outcome } from '../domain/outcome.ts'
import { failed } from '../domain/outcome.ts'
import { seconds } from '../domain/report.ts'

/** Calls `run` after so many ms, until the returned function is called. */
export type After = (ms: number, run: () => void) => () => void

/** A wait with an end: by its own limit, or by a signal. */
export interface Wait {
  /** of this one thing, in ms */
  readonly limitMs: number
  readonly after: After
  /** ends it before; its reason, a text, says why */
  readonly signal: AbortSignal
}

/** Gives what `work` gives, or by its limit that it gave nothing, whether `work` heeds its signal or not. */
export async function within<T>(
  { limitMs, after, signal }: Wait,
  work: (signal: AbortSignal) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const cutter = new AbortController()
  const over = Promise.withResolvers<Outcome<T>>()
  const end = (observed: string): void => {
    over.resolve(failed({ kind: 'deadline', thing: '', observed, next: 'ask again' }))
    cutter.abort()
  }
  const ended = (): void => end(typeof signal.reason === 'string' ? signal.reason : 'stopped')
  if (signal.aborted) ended()
  signal.addEventListener('abort', ended, { once: true })
  const stop = after(limitMs, () => end(`no answer within ${seconds(limitMs)}`))
  try {
    return await Promise.race([over.promise, signal.aborted ? over.promise : work(cutter.signal)])
  } finally {
    stop()
    signal.removeEventListener('abort', ended)
  }
}
