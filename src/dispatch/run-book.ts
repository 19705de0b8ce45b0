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
  /** One more target for a run: gives what ends its use. Null where the target has as many runs as it may have. */
  use(run: Run, target: string): (() => void) | null
  /** Its work is done: its targets are free again, and nobody can stop it any more. */
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
  /** what it uses now, and whether it ever used any */
  readonly targets: Set<string>
  asksServers: boolean
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
      const entry = newEntry(id, place)
      if (target !== null && use(entry, target, entries) === null) return 'busy'
      entries.set(id, entry)
      return entry.run
    },
    use(run, target) {
      const entry = entries.get(run.id)
      return entry === undefined ? null : use(entry, target, entries)
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
      const asking = [...entries.values()].filter((entry) => entry.asksServers)
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

function newEntry(id: string, place: () => Place): Entry {
  const abort = new AbortController()
  const run: Run = { id, signal: abort.signal, stoppedBy: () => entry.by }
  const entry: Entry = { run, targets: new Set(), asksServers: false, abort, place, working: true, by: null }
  return entry
}

function use(entry: Entry, target: string, entries: ReadonlyMap<string, Entry>): (() => void) | null {
  const users = [...entries.values()].filter((one) => one.working && one.targets.has(target))
  if (users.length >= AT_ONCE) return null
  entry.targets.add(target)
  entry.asksServers = true
  return () => void entry.targets.delete(target)
}

function sameThread(one: Place, other: Place): boolean {
  return one.thread !== null && one.channel === other.channel && one.thread === other.thread
}
