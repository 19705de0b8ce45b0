import type { Inbox, OpenAsk } from '../domain/open-ask.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Clock, Log } from '../domain/ports.ts'

/** Whether something was heard before: by this process, or by what the store knows of earlier ones. */
export interface Once {
  /** True for whoever comes first with any of these keys. An ask that is given is kept until it is settled. */
  claim(keys: readonly string[], ask?: OpenAsk | null): Promise<boolean>
  /** Keeps an ask that was claimed without. */
  keepAsk(ask: OpenAsk): Promise<void>
  settle(keys: readonly string[]): Promise<void>
}

/** Slack repeats an event for about five minutes; in ms. */
const KEPT_MS = 15 * 60_000
const MOST = 10_000

/** A store that fails makes the bot neither deaf, nor answer everything twice: then this process knows alone. */
export function once(store: Omit<Inbox, 'openAsks' | 'firstTime'>, clock: Clock, log: Log): Once {
  const isNewHere = recent(clock)

  async function isFirst(keys: readonly string[], ask: () => Promise<Outcome<boolean>>): Promise<boolean> {
    if (!isNewHere(keys)) return false
    const first = await ask()
    if (first.ok) return first.value
    log.error('not known whether an earlier process heard this', { failure: first.failure })
    return true
  }

  return {
    claim: (keys, ask = null) => isFirst(keys, () => store.claim(keys, clock.now(), ask)),
    async keepAsk(ask) {
      const kept = await store.keepAsk(ask)
      if (!kept.ok) log.error('an ask is not kept; a crash would leave it unanswered', { failure: kept.failure })
    },
    async settle(keys) {
      const settled = await store.settle(keys)
      if (!settled.ok) log.error('not noted that this was heard', { failure: settled.failure })
    },
  }
}

/** True where none of the keys came within the last `KEPT_MS`, of which the newest `MOST` are known; then all are. */
function recent(clock: Clock): (keys: readonly string[]) => boolean {
  // oldest first
  const known = new Map<string, number>()
  return (keys) => {
    const now = clock.monotonic()
    for (const [key, at] of known) {
      if (now - at < KEPT_MS) break
      known.delete(key)
    }
    const isNew = !keys.some((key) => known.has(key))
    for (const key of keys) if (!known.has(key)) known.set(key, now)
    for (const [key] of known) {
      if (known.size <= MOST) break
      known.delete(key)
    }
    return isNew
  }
}
