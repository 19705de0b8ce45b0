import type { Clock } from '../../domain/ports.ts'

/** How much of what Slack takes; what comes faster is answered with 429. */
export interface Pace {
  /** chat.postMessage, in each channel */
  readonly postsPerSecond: number
  /** how many of them may come at once; 3 where nothing is said */
  readonly burst?: number
  /** chat.update, over all channels; 50 where nothing is said */
  readonly updatesPerMinute?: number
}

/** The rate limits that hold while somebody enforces them. */
export interface Pacing {
  /** null: none */
  enforce(pace: Pace | null): void
  /** Seconds to wait, whole ones; null where the call is taken. */
  refuse(method: string, channel: string | null): number | null
}

interface Bucket {
  left: number
  at: number
}

const MINUTE_MS = 60_000

export function createPacing(clock: Pick<Clock, 'monotonic'>): Pacing {
  const buckets = new Map<string, Bucket>()
  const updates: number[] = []
  let enforced: Pace | null = null

  /** Takes one of a bucket that holds `most` and is filled with so many a second. */
  function take(name: string, most: number, perSecond: number): number | null {
    const now = clock.monotonic()
    const bucket = buckets.get(name) ?? { left: most, at: now }
    const left = Math.min(most, bucket.left + ((now - bucket.at) / 1000) * perSecond)
    const taken = left >= 1
    buckets.set(name, { left: taken ? left - 1 : left, at: now })
    return taken ? null : Math.max(1, Math.ceil((1 - left) / perSecond))
  }

  /** Takes one of so many within any minute. */
  function takeUpdate(most: number): number | null {
    const now = clock.monotonic()
    while ((updates[0] ?? now) <= now - MINUTE_MS) updates.shift()
    const [oldest = now] = updates
    if (updates.length >= most) return Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000))
    updates.push(now)
    return null
  }

  return {
    enforce(pace) {
      enforced = pace
      buckets.clear()
      updates.splice(0)
    },
    refuse(method, channel) {
      if (enforced === null) return null
      const { postsPerSecond, burst = 3, updatesPerMinute = 50 } = enforced
      if (method === 'chat.postMessage') return take(`post ${channel}`, burst, postsPerSecond)
      return method === 'chat.update' ? takeUpdate(updatesPerMinute) : null
    },
  }
}
