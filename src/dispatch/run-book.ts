import type { Person } from '../domain/ask.ts'
import type { Runs } from '../domain/command.ts'

/** One run under way. */
export interface Run {
  readonly id: string
  readonly signal: AbortSignal
  stoppedBy(): Person | null
}

export interface RunBook extends Runs {
  /** Null where the target is already busy with as many runs as it may have. */
  open(id: string, target: string | null): Run | null
  close(run: Run): void
  stopAll(by: Person): void
  /** Ends all runs and waits until each is closed, at most `ms`. */
  drain(ms: number): Promise<void>
}

/** Runs of ours that one target may have at once; more would measure the queue, not the model. */
const AT_ONCE = 2

interface Entry {
  readonly run: Run
  readonly target: string | null
  readonly abort: AbortController
  by: Person | null
}

/** The runs that are under way now. They end with the process, so nothing of this is stored. */
export function runBook(): RunBook {
  const entries = new Map<string, Entry>()
  let whenEmpty: (() => void) | null = null

  function stop(id: string, by: Person): boolean {
    const entry = entries.get(id)
    if (entry === undefined) return false
    entry.by = by
    entry.abort.abort()
    return true
  }

  return {
    open(id, target) {
      const busy = target === null ? 0 : [...entries.values()].filter((entry) => entry.target === target).length
      if (busy >= AT_ONCE) return null
      const abort = new AbortController()
      const run: Run = { id, signal: abort.signal, stoppedBy: () => entries.get(id)?.by ?? null }
      entries.set(id, { run, target, abort, by: null })
      return run
    },
    close(run) {
      entries.delete(run.id)
      if (entries.size === 0) whenEmpty?.()
    },
    stop,
    stopAll(by) {
      for (const id of entries.keys()) stop(id, by)
    },
    async drain(ms) {
      if (entries.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      whenEmpty = resolve
      for (const entry of entries.values()) entry.abort.abort()
      const late = setTimeout(resolve, ms)
      await promise
      clearTimeout(late)
    },
  }
}
