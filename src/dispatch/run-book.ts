import type { Person, Place } from '../domain/ask.ts'
import type { Runs } from '../domain/command.ts'

/** One run under way. */
export interface Run {
  readonly id: string
  readonly signal: AbortSignal
  stoppedBy(): Person | null
}

export interface RunBook extends Runs {
  /** `busy`: the target has as many runs as it may have. `stopping`: no run begins any more. */
  open(id: string, target: string | null, place: () => Place): Run | 'busy' | 'stopping'
  /** Its work is done: the target is free again, and nobody can stop it any more. */
  done(run: Run): void
  /** It has answered as well. */
  close(run: Run): void
  stopAll(by: Person): void
  /** Lets no run begin, stops all, and waits until each is closed, at most `ms`. */
  drain(ms: number): Promise<void>
}

/** Runs of ours that one target may have at once; more would measure the queue, not the model. */
const AT_ONCE = 2

/** Who stops what is still under way when Pilotflame stops. */
const SHUTDOWN: Person = { team: 'local', id: 'shutdown', name: 'a stop of Pilotflame itself', kind: 'local' }

interface Entry {
  readonly run: Run
  readonly target: string | null
  readonly abort: AbortController
  /** where it is seen by now */
  readonly place: () => Place
  working: boolean
  by: Person | null
}

/** The runs that are under way now. They end with the process, so nothing of this is stored. */
export function runBook(): RunBook {
  const entries = new Map<string, Entry>()
  let stopping = false
  let whenEmpty: (() => void) | null = null

  function stop(id: string, by: Person): boolean {
    const entry = entries.get(id)
    if (entry === undefined || !entry.working) return false
    entry.by = by
    entry.abort.abort()
    return true
  }

  function stopAll(by: Person): void {
    for (const id of entries.keys()) stop(id, by)
  }

  return {
    open(id, target, place) {
      if (stopping) return 'stopping'
      const busy =
        target === null ? 0 : [...entries.values()].filter((entry) => entry.working && entry.target === target).length
      if (busy >= AT_ONCE) return 'busy'
      const abort = new AbortController()
      const run: Run = { id, signal: abort.signal, stoppedBy: () => entry.by }
      const entry: Entry = { run, target, abort, place, working: true, by: null }
      entries.set(id, entry)
      return entry.run
    },
    done(run) {
      const entry = entries.get(run.id)
      if (entry !== undefined) entry.working = false
    },
    close(run) {
      entries.delete(run.id)
      if (entries.size === 0) whenEmpty?.()
    },
    stop,
    stopIn(place, by) {
      // only what asks a server; the asking itself is a run too
      const asking = [...entries.values()].filter((entry) => entry.target !== null)
      const here = asking.filter((entry) => sameThread(entry.place(), place))
      return here.filter((entry) => stop(entry.run.id, by)).length
    },
    stopAll,
    async drain(ms) {
      stopping = true
      if (entries.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      whenEmpty = resolve
      stopAll(SHUTDOWN)
      const late = setTimeout(resolve, ms)
      await promise
      clearTimeout(late)
    },
  }
}

function sameThread(one: Place, other: Place): boolean {
  return one.thread !== null && one.channel === other.channel && one.thread === other.thread
}
