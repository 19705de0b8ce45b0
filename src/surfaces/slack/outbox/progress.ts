import type { Message } from '../pages.ts'
import type { Refusal } from '../refusal.ts'
import { words } from './call.ts'
import type { Sent } from './letter.ts'
import { contentOf } from './letter.ts'
import type { UpdatePace } from './pace.ts'
import type { Room } from './room.ts'

/** Changes that the next one overtakes. They never hold up the final state of their message. */
export interface Progress {
  show(at: At, message: Message): Promise<Sent>
  /** Resolves when none of this message is on its way, or after a few seconds. */
  end(at: At): Promise<void>
  /** One that is still on its way, and may come after the final state that was just sent. */
  late(at: At): Promise<void> | null
}

export interface At {
  readonly channel: string
  readonly ts: string
}

/** A final state waits so long for a change that is on its way, in ms. */
const PATIENCE_MS = 3_000

export function progress(room: Room, pace: UpdatePace): Progress {
  const underWay = new Map<string, Promise<void>>()

  async function change(at: At, message: Message): Promise<Sent> {
    const { channel, ts } = at
    const call = (some: Pick<Message, 'text' | 'blocks'>) =>
      room.call('chat.update', { channel, ts, ...words(contentOf(some)) })
    const answer = await call(message)
    if (answer.ok) return { ok: true, ts }
    const { refusal } = answer
    if (refusal.kind === 'limited') room.lane('change', channel).hold(refusal)
    if (refusal.kind !== 'blocks' || message.blocks.length === 0) return { ok: false, refusal }
    const bare = await call({ ...message, blocks: [] })
    return bare.ok ? { ok: true, ts } : { ok: false, refusal: bare.refusal }
  }

  return {
    async show(at, message) {
      const key = keyOf(at)
      const lane = room.lane('change', at.channel)
      const late = underWay.has(key) || lane.entries.some(({ letter }) => letter.ts === at.ts)
      if (late || lane.limit() !== null || lane.trouble() !== null || !pace.spare())
        return { ok: false, refusal: OVERTAKEN }
      const changing = change(at, message)
      const settled = changing.then(() => void underWay.delete(key))
      underWay.set(key, settled)
      return changing
    },
    async end(at) {
      const going = underWay.get(keyOf(at))
      if (going === undefined) return
      const enough = new AbortController()
      await Promise.race([going, room.pause(PATIENCE_MS, AbortSignal.any([enough.signal, room.stop.signal]))])
      enough.abort()
    },
    late: (at) => underWay.get(keyOf(at)) ?? null,
  }
}

function keyOf({ channel, ts }: At): string {
  return `${channel} ${ts}`
}

const OVERTAKEN: Refusal = { kind: 'limited', code: 'a later one is shown', waitMs: 0, details: [] }
