import type { Clock, Log, WireEnd } from '../../domain/ports.ts'

/** Our own connections against those that Slack counts: any more are of another program with our app token. */
export interface Tally {
  /** A connection begins; gives what to call at its end. */
  began(): (end: WireEnd) => void
  /** Slack's count, as it stood in a greeting. */
  told(count: number): void
  foreign(): number
  /** Resolves when all of ours have ended. */
  empty(): Promise<void>
}

/** Slack may count a connection that broke for a while yet; in ms. */
const GHOST_MS = 60_000

export function tally(clock: Clock, log: Log): Tally {
  const ours = new Set<symbol>()
  const ghosts: number[] = []
  let foreign = 0
  let whenEmpty: (() => void) | null = null
  return {
    began() {
      const one = Symbol('connection')
      ours.add(one)
      return (end) => {
        ours.delete(one)
        if (end !== 'said') ghosts.push(clock.monotonic())
        if (ours.size === 0) whenEmpty?.()
      }
    },
    told(count) {
      const seen = ghosts.filter((at) => clock.monotonic() - at < GHOST_MS)
      ghosts.splice(0, ghosts.length, ...seen)
      const more = Math.max(0, count - ours.size - seen.length)
      if (more > foreign) log.warn(STRANGER, { ours: ours.size, counted: count })
      if (more === 0 && foreign > 0) log.info('Only our own connections use the app token again')
      foreign = more
    },
    foreign: () => foreign,
    empty() {
      const { promise, resolve } = Promise.withResolvers<void>()
      whenEmpty = resolve
      if (ours.size === 0) resolve()
      return promise
    },
  }
}

const STRANGER =
  'Another program is connected with this app token and gets some of what people say; stop it, or revoke the token'
