import type { Letter } from '../../../domain/letter.ts'
import type { Clock, Log } from '../../../domain/ports.ts'
import type { Refusal } from '../refusal.ts'
import type { Call } from './call.ts'
import type { Outage } from './digest.ts'
import type { Pause } from './hold.ts'
import type { Lane } from './lane.ts'
import type { Content, Draft, Entry, Sent } from './letter.ts'
import { entryOf } from './letter.ts'
import type { Lower, Redrawn } from './parts.ts'
import type { Shelf } from './shelf.ts'

/** What all lanes share. */
export interface Room {
  readonly call: Call
  readonly clock: Clock
  readonly log: Log
  readonly pause: Pause
  readonly shelf: Shelf
  readonly lower: Lower
  readonly redrawn: Redrawn
  /** ms from a lost answer to the first look for it */
  readonly lookAfterMs: number
  /** ms after which a letter is dropped */
  readonly keptMs: number
  readonly stop: AbortController
  /** by kind and channel */
  readonly lanes: Map<string, Lane>
  /** the posts or the changes of one channel */
  lane(kind: LaneKind, channel: string): Lane
  /** the messages of letters that were sent, by the letters' ids */
  readonly threads: Map<string, string>
  /** rows that stay until others are gone: of what begins their thread, and of the digest that tells of them */
  readonly holds: Map<string, Hold>
  /** by channel, while a digest of it waits */
  readonly outages: Map<string, Outage>
  /** epoch ms by channel: what is older was in a digest */
  readonly announced: Map<string, number>
  readonly last: Last
}

export type LaneKind = 'post' | 'change'

interface Hold {
  readonly entry: Entry
  readonly until: Set<string>
}

interface Last {
  /** monotonic ms at which Slack answered */
  reachedAt: number
  refusal: Refusal | null
  /** ms for which somebody waits where Slack cannot be reached */
  patienceMs: number
}

/** Threads that are remembered. */
const MOST = 10_000

/** The letter that a part was cut from: `id.1.2` is of `id`. */
export function wholeOf(id: Letter['id']): string {
  return id.split('.')[0] ?? id
}

/** Whether it is a whole, or the first of several parts: that one begins the thread. */
function begins(id: Letter['id']): boolean {
  return /^[^.]*(?:\.1)*$/.test(id)
}

/** What waits for this one: it goes under it. */
export function followersOf(room: Room, { letter: { id } }: Entry): readonly Entry[] {
  return begins(id) ? entriesIn(room).filter(({ content }) => content.under === wholeOf(id)) : []
}

/** What goes under another letter waits for that one. */
export function isReady(room: Room, { content, letter }: Entry): boolean {
  const { under } = content
  if (under === null) return true
  const { channel } = letter.place
  const lanes = [room.lane('post', channel), room.lane('change', channel)]
  return !lanes.some(({ entries }) => entries.some(({ letter: { id } }) => begins(id) && wholeOf(id) === under))
}

/** What is said under a letter finds its thread. */
export function remember({ threads }: Room, { id }: Letter, ts: string): void {
  if (ts === '' || !begins(id)) return
  threads.set(wholeOf(id), ts)
  for (const [oldest] of threads) {
    if (threads.size <= MOST) break
    threads.delete(oldest)
  }
}

export function entriesIn(room: Room): readonly Entry[] {
  return [...room.lanes.values()].flatMap((lane) => [...lane.entries])
}

export function laneOf(room: Room, { letter }: Entry): Lane {
  return room.lane(letter.ts === null ? 'post' : 'change', letter.place.channel)
}

export function tell(entry: Entry, sent: Sent): void {
  if (entry.told) return
  entry.told = true
  entry.tell(sent)
}

/** It is done with, however: its row goes, and those that stood for its sake. */
export async function leave(room: Room, entry: Entry, until: ReadonlySet<string> = new Set()): Promise<void> {
  const { id } = entry.letter
  if (until.size > 0 && entry.row) room.holds.set(id, { entry, until: new Set(until) })
  else await room.shelf.drop(entry)
  for (const [held, hold] of room.holds) {
    if (!hold.until.delete(id) || hold.until.size > 0) continue
    room.holds.delete(held)
    await room.shelf.drop(hold.entry)
  }
}

/** Puts a new letter behind all others, its row first. */
export async function enqueue(room: Room, draft: Draft): Promise<Entry> {
  const entry = entryOf(draft, room.clock)
  await room.shelf.keep([entry])
  laneOf(room, entry).push(entry)
  return entry
}

/** A letter that nobody waits for. */
export function draftOf(letter: Pick<Draft, 'id' | 'place' | 'ts'>, content: Content): Draft {
  return { ...letter, sentAt: null, content, message: null, rung: 0, passing: false, tell() {} }
}
