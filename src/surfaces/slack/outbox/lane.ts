import type { Clock } from '../../../domain/ports.ts'
import type { Refusal } from '../refusal.ts'
import type { Pause } from './hold.ts'
import type { Entry } from './letter.ts'
import type { Limit, Trouble, Way } from './way.ts'
import { wayOf } from './way.ts'

/** What goes one after the other: the posts of one channel, or its changes. */
export interface Lane {
  /** in the order in which they go out */
  readonly entries: readonly Entry[]
  /** The one that is being sent. */
  current(): Entry | null
  /** What keeps it from Slack; null where Slack is reached. */
  trouble(): Trouble | null
  push(entry: Entry): void
  unshift(entries: readonly Entry[]): void
  remove(entry: Entry): void
  /** Slack orders to wait: nothing is sent before. */
  hold(refusal: Refusal): void
  /** For what Slack orders to wait; null where it does not. */
  limit(): Limit | null
  /** Slack was reached elsewhere: it tries again at once, but only once within its own wait. */
  wake(): void
  /** What was not ready may be by now. */
  start(): void
  /** whether something is on its way, or is about to be */
  busy(): boolean
  /** Resolves when nothing is on its way. */
  rest(): Promise<void>
}

/** gone: it is done with, however (`sent`: Slack took this very one) · wait: after `ms`; `least` of them also where Slack is reached elsewhere */
export type Step =
  | { readonly kind: 'gone'; readonly reached: boolean; readonly sent: boolean }
  | {
      readonly kind: 'wait'
      readonly refusal: Refusal
      /** whether Slack could not be reached */
      readonly down: boolean
      readonly ms: (failures: number) => number
      readonly least: number
    }

interface Options {
  readonly clock: Clock
  readonly pause: Pause
  /** the end of everything */
  readonly signal: AbortSignal
  /** Called before one is chosen: something else may be put in front. */
  readonly before: () => Promise<void>
  /** Waits until this one may go out. */
  readonly turn: (entry: Entry) => Promise<void>
  readonly attempt: (entry: Entry) => Promise<Step>
  /** Called after one that has to wait. */
  readonly troubled: () => void
  /** whether one that failed lets the others go first */
  readonly rotates: boolean
  /** whether it may go out by now */
  readonly ready: (entry: Entry) => boolean
  /** Called when one is gone: others may wait for that. */
  readonly left: () => void
}

export function lane(options: Options): Lane {
  const { signal, before, troubled, ready } = options
  const line = lineOf(options)
  const way = wayOf(options)
  const sender = senderOf(options, line, way)
  /** whether all that are ready stand aside for a while */
  let resting = false
  const worker = oneAtATime(work, () => line.entries.some(ready) && !signal.aborted)

  async function work(): Promise<void> {
    for (;;) {
      await way.opened()
      if (!signal.aborted) await before()
      if (signal.aborted || !line.entries.some(ready)) break
      const entry = line.next()
      resting = entry === undefined
      if (entry === undefined) way.shutFor(line.dueMs())
      else await sender.send(entry)
    }
    // where nothing waits, nothing is known to be in trouble
    way.cleared()
  }

  function start(): void {
    if (resting) way.open()
    worker.start()
  }

  function put(at: number, more: readonly Entry[]): void {
    line.put(at, more)
    start()
  }

  return {
    trouble: way.trouble,
    limit: way.limit,
    wake: way.wake,
    entries: line.entries,
    current: sender.current,
    push: (entry) => put(line.entries.length, [entry]),
    unshift: (more) => put(0, more),
    remove: line.remove,
    hold(refusal) {
      way.hold(refusal)
      troubled()
    },
    start,
    busy: () => worker.busy() && !resting,
    rest: worker.rest,
  }
}

/** Sends one when its turn has come. */
function senderOf({ signal, turn, attempt, troubled, rotates }: Options, line: Line, way: Way) {
  let current: Entry | null = null

  async function send(entry: Entry): Promise<void> {
    await turn(entry)
    // something may have gone in front, been taken away or been ordered to wait by now
    if (signal.aborted || entry !== line.next() || way.shut()) return
    current = entry
    const step = await attempt(entry)
    current = null
    if (step.kind === 'gone') {
      way.tried(step)
      line.remove(entry)
      return
    }
    if (rotates || entry.aside) line.last(entry)
    // nobody else waits for one that stands aside
    if (entry.aside) way.cleared()
    else way.tried(step)
    troubled()
  }

  return { send, current: () => current }
}

type Line = ReturnType<typeof lineOf>

/** The letters of a lane. One that stands aside is passed over until it is due. */
function lineOf({ clock, ready, left }: Pick<Options, 'clock' | 'ready' | 'left'>) {
  const entries: Entry[] = []
  function take(entry: Entry): boolean {
    const at = entries.indexOf(entry)
    if (at !== -1) entries.splice(at, 1)
    return at !== -1
  }
  return {
    entries,
    next(): Entry | undefined {
      const now = clock.monotonic()
      return entries.find((entry) => ready(entry) && !(entry.aside && now < entry.dueAt))
    },
    /** ms until one is due that stands aside */
    dueMs: () => Math.min(...entries.filter(ready).map(({ dueAt }) => dueAt)) - clock.monotonic(),
    put: (at: number, more: readonly Entry[]) => void entries.splice(at, 0, ...more),
    remove(entry: Entry): void {
      if (take(entry)) left()
    },
    last(entry: Entry): void {
      if (take(entry)) entries.push(entry)
    },
  }
}

/** Works until it ends, and again while there is more. */
function oneAtATime(work: () => Promise<void>, more: () => boolean) {
  let working: Promise<void> | null = null
  function start(): void {
    if (!more()) return
    working ??= work().finally(() => {
      working = null
      start()
    })
  }
  return { start, busy: () => working !== null, rest: () => working ?? Promise.resolve() }
}
