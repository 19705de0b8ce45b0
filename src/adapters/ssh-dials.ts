import { setTimeout as pause } from 'node:timers/promises'

import type { Outcome } from '../domain/outcome.ts'
import { failed } from '../domain/outcome.ts'
import { hostThing, stopped } from '../domain/ssh/failure.ts'
import type { HostSettings } from '../domain/target.ts'

/** Does a login when it is its turn. The signal ends the waiting. */
export type InTurn = <T>(
  host: HostSettings,
  signal: AbortSignal,
  dial: () => Promise<Outcome<T>>,
) => Promise<Outcome<T>>

/** sshd drops some of many logins at once, before it greets (MaxStartups, trust.md F9). */
const AT_ONCE = 2

/**
 * Two logins at a time to one sshd, whatever the hosts behind it are called. One that is cut off before the greeting is
 * tried once more, after `retryMs` to three times as long, so that those who were cut off together do not come back together.
 */
export function dials(retryMs: number): InTurn {
  const lines = new Map<string, Line>()

  async function turn(key: string): Promise<() => void> {
    const line = lines.get(key) ?? { inside: 0, waiting: [] }
    lines.set(key, line)
    if (line.inside < AT_ONCE) line.inside += 1
    else await new Promise<void>((next) => line.waiting.push(next))
    return () => {
      const next = line.waiting.shift()
      if (next !== undefined) return next()
      line.inside -= 1
      if (line.inside === 0) lines.delete(key)
    }
  }

  return async (host, signal, dial) => {
    const leave = await turn(placeOf(host))
    try {
      if (signal.aborted) return failed(stopped(hostThing(host)))
      const first = await dial()
      if (first.ok || first.failure.kind !== 'banned') return first
      await pause(retryMs * (1 + 2 * Math.random()), undefined, { signal }).catch(() => {})
      return signal.aborted ? first : await dial()
    } finally {
      leave()
    }
  }
}

interface Line {
  inside: number
  readonly waiting: (() => void)[]
}

/** An address means something else behind a jump host; with its name in the key, nobody waits for the one it goes through. */
function placeOf({ jump, address, port }: HostSettings): string {
  return `${jump ?? ''} ${address}:${port}`
}
