import { randomUUID } from 'node:crypto'
import type { Place } from '../../domain/ask.ts'
import type { OutboxOptions } from './outbox/lanes.ts'
import { roomFor, tellKept, tellWaiting } from './outbox/lanes.ts'
import { takeUp } from './outbox/left.ts'
import type { Content, Entry, Maybe, Sent } from './outbox/letter.ts'
import type { At, Progress } from './outbox/progress.ts'
import type { Room } from './outbox/room.ts'
import { enqueue, entriesIn, laneOf, leave, tell } from './outbox/room.ts'
import type { Message } from './pages.ts'
import type { Refusal } from './refusal.ts'

export type { OutboxOptions } from './outbox/lanes.ts'

/**
 * What must be seen in Slack, kept on disk until it surely is there: in order and about one a second in a channel, over
 * outages and restarts, and never twice.
 */
export interface Outbox extends Pick<Progress, 'show'> {
  /** Takes up what an earlier process left. Before anything else is handed in. */
  open(): Promise<void>
  /** Resolves when Slack has it, has refused it for good, or cannot be reached and it is kept. */
  add(given: Given): Promise<Sent>
  /** Whether a final state of this message waits. */
  waitsFor(at: At): boolean
  waiting(): Waiting
  /** From now on nobody waits where Slack cannot be reached: what is kept is told at once. */
  hurry(): void
  /** Sends what can be sent within `ms`; the rest is left to the next process. */
  close(ms: number): Promise<void>
}

export interface Given {
  readonly place: Place
  /** the message to change; null: a new one */
  readonly ts: string | null
  readonly content: Content
  readonly message: Message | null
  /** whether it is given up where Slack cannot be reached, since a later one says more */
  readonly passing?: boolean
  /** a message under whose name it may stand already */
  readonly over?: Maybe | null
  /** the letter's own id; left out: a new one */
  readonly id?: string
  /** Called once it is on disk: from then on no crash loses it. */
  readonly kept?: () => Promise<void>
}

/** For doctor. */
export interface Waiting {
  readonly count: number
  /** ms for which the oldest waits; null where none does */
  readonly oldestMs: number | null
  /** Slack's or the network's last no, as a code */
  readonly refusal: string | null
}

/** More are refused. */
const MOST = 10_000

/** What is being sent at the end may take so long, in ms; it is looked for at the next start. */
const LAST_MS = 1_000
const NEVER = new AbortController().signal

export function outbox(options: OutboxOptions): Outbox {
  const room = roomFor(options)
  const { clock, stop } = room
  return {
    show: room.progress.show,
    open: () => takeUp(room),
    add: (given) => add(room, given),
    waitsFor: ({ channel, ts }) => room.lane('change', channel).entries.some(({ letter }) => letter.ts === ts),
    waiting() {
      const all = entriesIn(room).filter(({ passing }) => !passing)
      const oldest = Math.min(...all.map(({ since }) => since))
      const oldestMs = all.length === 0 ? null : clock.monotonic() - oldest
      return { count: all.length, oldestMs, refusal: room.last.refusal?.code ?? null }
    },
    hurry() {
      room.last.patienceMs = 0
      for (const one of room.lanes.values()) if (one.trouble() !== null) tellWaiting(room, one)
    },
    async close(ms) {
      const reachable = [...room.lanes.values()].filter((one) => one.trouble() === null)
      const enough = new AbortController()
      await Promise.race([Promise.all(reachable.map((one) => one.rest())), room.pause(ms, enough.signal)])
      enough.abort()
      stop.abort()
      const currents = Promise.all([...room.lanes.values()].map((one) => one.rest()))
      await Promise.race([currents, room.pause(LAST_MS, NEVER)])
      const left = entriesIn(room)
      for (const entry of left) tellKept(room, entry)
      const lost = left.filter(({ row, passing }) => !row && !passing).length
      if (left.length > 0) room.log.warn('Messages wait for the next start', { waiting: left.length - lost, lost })
    },
  }
}

async function add(room: Room, given: Given): Promise<Sent> {
  const { place, ts, passing = false, over = null, content, message } = given
  if (entriesIn(room).length >= MOST) {
    room.log.error('A message is refused: too many wait for Slack already', { waiting: MOST, channel: place.channel })
    return { ok: false, refusal: FULL }
  }
  const to = room.lane(ts === null ? 'post' : 'change', place.channel)
  const trouble = to.trouble()
  if (passing && trouble !== null && trouble.failures > 1) return { ok: false, refusal: trouble.refusal }
  const thread = place.thread ?? (content.under === null ? null : room.threads.get(content.under)) ?? null
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const entry = await enqueue(room, {
    id: over?.id ?? given.id ?? randomUUID(),
    sentAt: over?.sentAt ?? null,
    place: { ...place, thread },
    ts,
    content: { ...content, over: over !== null },
    message,
    rung: 0,
    passing,
    tell: resolve,
  })
  if (entry.row) await given.kept?.()
  if (ts !== null) await supersede(room, entry)
  const since = to.trouble()?.at
  const late = since !== undefined && room.clock.monotonic() - since > room.last.patienceMs
  if (room.stop.signal.aborted || late) tellKept(room, entry)
  return promise
}

const FULL: Refusal = { kind: 'no', code: 'outbox_full', waitMs: 0, details: [] }

/** Older states of the same message need not be seen any more. */
async function supersede(room: Room, latest: Entry): Promise<void> {
  const to = laneOf(room, latest)
  const before = to.entries.slice(0, to.entries.indexOf(latest))
  const older = before.filter((one) => one !== to.current() && one.letter.ts === latest.letter.ts)
  for (const one of older) {
    to.remove(one)
    tell(one, { ok: true, ts: latest.letter.ts ?? '' })
    await leave(room, one)
  }
}
