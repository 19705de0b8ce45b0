import { setTimeout as timer } from 'node:timers/promises'
import type { Failure } from '../../domain/failure.ts'
import { sentence } from '../../domain/failure.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import type { Waits } from './backoff.ts'
import { backoff } from './backoff.ts'
import type { Dialled, Link, Over } from './link.ts'

/** One of the connections to Slack, opened anew whenever it ends, until it is closed. */
export interface Line {
  /** whether Slack hands over what people say on it, or on the one that it replaces */
  isLive(): boolean
  /** how long it has been live, in ms; null where it is not */
  age(): number | null
  /** why it is not live; null where it is, or has not tried yet */
  trouble(): Failure | null
  close(): void
}

/** All in ms. */
export interface LineTimes extends Waits {
  /** a connection that ended sooner counts as a failed try */
  readonly steadyMs: number
  /** how long a connection that was replaced may still bring and take something */
  readonly graceMs: number
}

interface Options extends LineTimes {
  /** The signal ends it. */
  dial(signal: AbortSignal): Promise<Dialled>
  /** how long to leave the other connection alone yet, so that Slack does not refresh both at the same time; in ms */
  room(): number
  onOpen(link: Link): void
  /** told after each try that failed */
  onFail(failure: Failure): void
  /** told when a connection is over, and when it has ended: `isLive` may be false now */
  onOver(): void
  readonly clock: Clock
  readonly log: Log
}

/**
 * Keeps one connection. Where Slack asks for a new one the old one stays until the new one is greeted. Waits between
 * tries grow, with chance, up to `longestWaitMs` or to what Slack's Retry-After says.
 */
export function line(options: Options): Line {
  const { clock, log } = options
  const closed = new AbortController()
  const { pause, roomy } = waits(options, closed.signal)
  let live: { readonly link: Link; readonly since: number } | null = null
  let old: Link | null = null
  let trouble: Failure | null = null
  let tries = 0

  async function keep(): Promise<void> {
    while (!closed.signal.aborted) {
      if (old?.isOpen() !== true) await roomy()
      if (closed.signal.aborted) return
      const dialled = await options.dial(closed.signal)
      await (dialled.ok ? follow(dialled.link) : fail(dialled.failure, dialled.waitMs))
    }
  }

  async function fail(failure: Failure, waitMs: number): Promise<void> {
    if (closed.signal.aborted) return
    tries += 1
    trouble = failure
    log.error('The Slack socket cannot be opened', { said: sentence(failure), tries })
    options.onFail(failure)
    await pause(Math.max(waitMs, backoff(tries, options, Math.random())))
  }

  async function follow(link: Link): Promise<void> {
    if (closed.signal.aborted) return link.close()
    if (old !== null) retire(old, options)
    if (tries > 0) log.info('The Slack socket is open again', { tries: tries + 1 })
    const since = clock.monotonic()
    live = { link, since }
    trouble = null
    options.onOpen(link)
    const over = await link.over
    live = null
    old = link
    tries = clock.monotonic() - since < options.steadyMs ? tries + 1 : 0
    if (closed.signal.aborted) return
    options.onOver()
    void link.ended.then(() => closed.signal.aborted || options.onOver())
    tell(over, log)
    if (tries > 0) await pause(backoff(tries - 1, options, Math.random()))
  }

  void keep()
  return {
    isLive: () => live !== null || old?.isOpen() === true,
    age: () => (live === null ? null : clock.monotonic() - live.since),
    trouble: () => trouble,
    close() {
      closed.abort()
      live?.link.close()
      old?.close()
    },
  }
}

function waits({ room }: Pick<Options, 'room'>, signal: AbortSignal) {
  async function pause(ms: number): Promise<void> {
    await timer(ms, undefined, { signal }).catch(() => {})
  }
  return {
    pause,
    /** Looks again each second: what it waits for may end at any time. */
    async roomy() {
      for (let ms = room(); ms > 0 && !signal.aborted; ms = room()) await pause(Math.min(ms, 1_000))
    },
  }
}

/** Something may be under way on it yet. */
function retire(link: Link, { graceMs }: LineTimes): void {
  void timer(graceMs, undefined, { ref: false }).then(link.close)
}

function tell(over: Over, log: Log): void {
  switch (over.how) {
    case 'ended':
      log.warn('A Slack socket ended', { how: over.end })
      return
    case 'asked': {
      const planned = over.reason === 'warning' || over.reason === 'refresh_requested'
      log[planned ? 'debug' : 'warn']('Slack wants a new socket', { reason: over.reason })
    }
  }
}
