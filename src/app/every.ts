import type { Log } from '../domain/ports.ts'
import { guarded } from './guarded.ts'

/** Runs something every `ms` until it is called off. A fault in it is recorded; it must not end the process. */
export function every(ms: number, run: () => unknown, log: Log): () => void {
  const timer = setInterval(() => void guarded(run, log), ms)
  return () => clearInterval(timer)
}
