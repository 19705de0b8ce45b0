import type { Clock } from '../../../domain/ports.ts'
import type { Refusal } from '../refusal.ts'
import type { Pause } from './gate.ts'
import { gateOf } from './gate.ts'
import type { Entry } from './letter.ts'

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
  /** Nothing is sent before so many ms have passed. */
  hold(ms: number): void
  held(): boolean
  /** Slack was reached elsewhere: it tries again at once. */
  wake(): void
  /** Resolves when nothing is on its way. */
  rest(): Promise<void>
}

export interface Trouble {
  /** epoch ms, and the same moment in monotonic ms */
  readonly since: number
  readonly at: number
  readonly failures: number
  readonly refusal: Refusal
}

/** gone: it is done with, however · wait: after `ms`; `least` of them also where Slack is reached elsewhere */
export type Step =
  | { readonly kind: 'gone'; readonly reached: boolean }
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
  readonly troubled: () => void
  /** whether one that failed lets the others go first */
  readonly rotates: boolean
}

export function lane(options: Options): Lane {
  const { clock, signal, before, turn, attempt, troubled, rotates } = options
  const entries: Entry[] = []
  const gate = gateOf(options)
  let current: Entry | null = null
  let trouble: Trouble | null = null
  const worker = oneAtATime(work, () => entries.length > 0 && !signal.aborted)

  async function work(): Promise<void> {
    for (;;) {
      await gate.opened()
      if (!signal.aborted) await before()
      const [entry] = entries
      if (entry === undefined || signal.aborted) break
      await turn(entry)
      // something may have gone in front, been taken away or been ordered to wait by now
      if (signal.aborted || entry !== entries[0] || gate.shut()) continue
      await tryOne(entry)
    }
    // where nothing waits, nothing is known to be in trouble
    trouble = null
  }

  async function tryOne(entry: Entry): Promise<void> {
    current = entry
    const step = await attempt(entry)
    current = null
    if (step.kind === 'wait') return wait(step, entry)
    without(entries, entry)
    if (step.reached) trouble = null
  }

  function wait(step: Extract<Step, { readonly kind: 'wait' }>, entry: Entry): void {
    const worse = worseThan(trouble, step.refusal, clock)
    gate.shutFor(step.ms(worse.failures), step.least)
    if (rotates && without(entries, entry)) entries.push(entry)
    if (!step.down) return
    trouble = worse
    troubled()
  }

  function put(at: number, more: readonly Entry[]): void {
    entries.splice(at, 0, ...more)
    worker.start()
  }
  return {
    entries,
    current: () => current,
    trouble: () => trouble,
    push: (entry) => put(entries.length, [entry]),
    unshift: (more) => put(0, more),
    remove: (entry) => void without(entries, entry),
    hold: (ms) => gate.shutFor(ms, ms),
    held: gate.shut,
    wake: () => (trouble === null ? undefined : gate.open()),
    rest: worker.rest,
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
  return { start, rest: () => working ?? Promise.resolve() }
}

function worseThan(before: Trouble | null, refusal: Refusal, { now, monotonic }: Clock): Trouble {
  const { since, at, failures } = before ?? { since: now(), at: monotonic(), failures: 0 }
  return { since, at, failures: failures + 1, refusal }
}

/** False where it is not there any more. */
function without(entries: Entry[], entry: Entry): boolean {
  const at = entries.indexOf(entry)
  if (at !== -1) entries.splice(at, 1)
  return at !== -1
}
