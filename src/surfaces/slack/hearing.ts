import { setTimeout as timer } from 'node:timers/promises'
import type { App, Receiver } from '@slack/bolt'
import type { Clock, Log } from '../../domain/ports.ts'
import type { Envelope } from './link.ts'

/** What Slack brings, on its way to Bolt. */
export interface Hearing extends Pick<Receiver, 'init'> {
  hear(envelope: Envelope): void
  /** From now on events are left to Slack, which delivers them again later; commands and presses still come. */
  drain(): void
  /** since Slack last brought something; null: it has not yet */
  heardMs(): number | null
}

/** An event is acknowledged when it was handled, at the latest after this: Slack repeats it after 3 s. In ms. */
const HANDLED_MS = 2_000

/** Hands what Slack brings to Bolt, and acknowledges events itself. */
export function hearing(clock: Clock, log: Log): Hearing {
  let app: App | null = null
  let draining = false
  let heardAt: number | null = null

  async function hear(envelope: Envelope): Promise<void> {
    heardAt = clock.monotonic()
    const isEvent = envelope.kind === 'events_api'
    if (app === null || (isEvent && draining)) return
    const handled = handOver(app, envelope, isEvent, log)
    if (!isEvent) return
    await Promise.race([handled, timer(HANDLED_MS, undefined, { ref: false })])
    // what came too late for the listener was not run; the rest is known, should Slack repeat it
    if (!draining) await envelope.acknowledge()
  }

  return {
    hear: (envelope: Envelope) => void hear(envelope),
    init(given: App) {
      app = given
    },
    drain() {
      draining = true
    },
    heardMs: () => (heardAt === null ? null : clock.monotonic() - heardAt),
  }
}

async function handOver(app: App, { id, payload, retry, acknowledge }: Envelope, isEvent: boolean, log: Log) {
  if (payload['type'] === 'app_rate_limited') return log.warn('Slack holds events back: too many within an hour')
  const again = retry === null ? {} : { retryNum: retry.number, retryReason: retry.reason }
  // Bolt acknowledges an event before anything was done about it
  const ack = isEvent ? async () => {} : acknowledge
  try {
    await app.processEvent({ body: payload, ack, customProperties: { envelope: id }, ...again })
  } catch (error) {
    log.error('Bolt could not handle something', { said: String(error) })
  }
}
