import type { Fields } from './json.ts'
import { isFields, parse, textAt } from './json.ts'
import { PACE } from './limits.ts'
import type { Ack } from './socket.ts'

/** The envelopes that wait for their acknowledgement. */
export interface Acks {
  /** Waits at most 3 s, or what the stand-in was started with. */
  wait(envelope: string): Promise<Ack>
  /** Reads what an app sent. */
  settle(text: string): void
  giveUp(): void
}

export function createAcks(mostMs: number = PACE.ackMs): Acks {
  const waiting = new Map<string, (payload: Fields | null) => void>()
  return {
    wait(envelope) {
      const sent = performance.now()
      return new Promise((resolve) => {
        const settle = (payload: Fields | null) => {
          clearTimeout(limit)
          waiting.delete(envelope)
          const ms = performance.now() - sent
          resolve(payload === null ? { ok: false, ms, error: 'operation_timeout' } : { ok: true, ms, payload })
        }
        const limit = setTimeout(() => settle(null), mostMs)
        waiting.set(envelope, settle)
      })
    },
    settle(text) {
      const ack = parse(text, null)
      if (!isFields(ack)) return
      const payload = ack['payload']
      waiting.get(textAt(ack, 'envelope_id') ?? '')?.(isFields(payload) ? payload : {})
    },
    giveUp() {
      for (const settle of waiting.values()) settle(null)
    },
  }
}
