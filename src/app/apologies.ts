import { setTimeout as timer } from 'node:timers/promises'
import type { Inbox, OpenAsk } from '../domain/open-ask.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Clock, Log } from '../domain/ports.ts'
import type { Told } from '../surfaces/slack/index.ts'
import { guarded } from './guarded.ts'

/** Whoever may have got no answer is told so, as soon as Slack takes it. */
export interface Apologies {
  /** Takes over an ask that is kept, and not settled. */
  owe(ask: OpenAsk, tell: (ask: OpenAsk) => Promise<Told>): void
  /** Resolves when, after a stop, nobody is being told any more. */
  rest(): Promise<void>
}

interface Options {
  readonly store: Pick<Inbox, 'keepAsk' | 'settle'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** aborted at a stop: then the next start tells the rest */
  readonly signal: AbortSignal
  /** Waits so many ms, or until the signal. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Nobody is told later than this, in ms. */
const OWED_MS = 72 * 3_600_000
/** More are left to the next start. */
const MOST = 1_000
const AT_ONCE = 8
const FIRST_MS = 2_000
const LONGEST_MS = 10 * 60_000

interface Owed {
  ask: OpenAsk
  /** whether an earlier process may have told it */
  readonly before: boolean
  readonly tell: (ask: OpenAsk) => Promise<Told>
}

/** One after the other in a channel, eight channels at once: a crash leaves it open whether those were told. */
export function apologies(options: Options): Apologies {
  const { log, signal } = options
  const inTurn = turns(AT_ONCE)
  const channels = new Map<string, Owed[]>()
  const underWay = new Set<Promise<void>>()
  let count = 0

  /**
   * Whatever goes wrong: what is left in the channel is left to the next start, and what comes later is told. The channel
   * ends in the same turn as the last look at it, so that nothing can be added to one that nobody looks at any more.
   */
  async function tellAll(channel: string, owed: Owed[]): Promise<void> {
    let failures = 0
    try {
      for (let next = owed[0]; next !== undefined && !signal.aborted; next = owed[0]) {
        const one = next
        if (await inTurn(() => settled(one, options))) {
          failures = 0
          owed.shift()
          count -= 1
        } else {
          failures += 1
          await (options.pause ?? pause)(waitMs(failures), signal)
        }
      }
    } finally {
      channels.delete(channel)
      count -= owed.length
    }
  }

  function begin(channel: string, owed: Owed[]): void {
    channels.set(channel, owed)
    const telling = guarded(() => tellAll(channel, owed), log).then(() => void underWay.delete(telling))
    underWay.add(telling)
  }

  return {
    owe(ask, tell) {
      if (signal.aborted) return
      if (count >= MOST) return log.error('too many wait for a word; the next start tells the rest', { waiting: count })
      count += 1
      const { channel } = ask.to
      const one = { ask, tell, before: ask.maybeTold === true }
      const waiting = channels.get(channel)
      if (waiting === undefined) begin(channel, [one])
      else waiting.push(one)
    },
    async rest() {
      await Promise.all(underWay)
    },
  }
}

/** True where nothing is left to do about it. */
async function settled(owed: Owed, { store, clock, log, signal }: Options): Promise<boolean> {
  if (signal.aborted) return false
  const { ask, before, tell } = owed
  const { id, how, at } = ask
  const told = clock.now() - at > OWED_MS ? 'late' : await say()
  if (told === 'later') return false
  if (told === 'late') log.error('nobody was told that an ask was not answered, for too long', { id, how })
  if (told === 'no') log.error('nobody can be told that an ask was not answered', { id, how })
  note(await store.settle(ask.keys), log)
  return true

  /**
   * Noted before the call: nobody can find a private message again, so one that is repeated says that it may be. It stays
   * open until Slack took it, or said that it never will: told twice is better than not at all.
   */
  async function say(): Promise<Told> {
    if (!before) note(await store.keepAsk({ ...ask, maybeTold: true }), log)
    owed.ask = { ...ask, maybeTold: true }
    return tell(ask)
  }
}

/** So many pieces of work go on at once; the others wait in their order. */
function turns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = most
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

function note(done: Outcome<null>, log: Log): void {
  if (!done.ok) log.error('not noted whether somebody was told', { failure: done.failure })
}

function waitMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await timer(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
