import { randomUUID } from 'node:crypto'
import { digestText } from './digest.ts'
import type { Entry, Wire } from './letter.ts'
import { entryOf, NOTHING } from './letter.ts'
import type { Room } from './room.ts'
import { draftOf, laneOf } from './room.ts'

/** What waits longer because Slack cannot be reached is told of, in ms. */
const LATE_MS = 60_000

/** Puts a digest in front where a channel has waited long; one that is there already tells of all that came since. */
export async function announce(room: Room, channel: string): Promise<void> {
  const posts = room.lane('post', channel)
  const late = lateIn(room, channel)
  if (late.length === 0) return
  const before = room.outages.get(channel)
  const titles = new Map([...(before?.titles ?? []), ...late.map(({ letter }) => [letter.id, letter.title] as const)])
  room.outages.set(channel, { from: before?.from ?? since(room, channel, late), titles })
  if (posts.entries.some(({ content }) => content.digest)) return
  const draft = draftOf({ id: randomUUID(), place: { channel, thread: null }, ts: null }, { ...NOTHING, digest: true })
  const digest = entryOf(draft, room.clock)
  // its place is taken before the row is written: both lanes of a channel may ask at once
  posts.unshift([digest])
  await room.shelf.keep([digest])
}

/** A digest as it would read now; null where nothing is left to tell. */
export function digestWire({ outages, clock }: Room, { letter }: Entry): Wire | null {
  const outage = outages.get(letter.place.channel)
  if (outage === undefined || outage.titles.size === 0) return null
  return { ...NOTHING, text: digestText(outage, clock.now()) }
}

/** It was told, or cannot be: what waits by now is in no other digest. Gives the letters of which it told and which wait. */
export function endOutage(room: Room, channel: string): ReadonlySet<string> {
  const told = room.outages.get(channel)?.titles ?? new Map<string, string>()
  room.outages.delete(channel)
  room.announced.set(channel, room.clock.now())
  return new Set(waitingIn(room, channel).flatMap(({ letter }) => (told.has(letter.id) ? [letter.id] : [])))
}

/** A long line is no outage: what counts is the time for which Slack could not be reached, or an earlier process. */
function lateIn(room: Room, channel: string): readonly Entry[] {
  const { clock, announced } = room
  const now = clock.monotonic()
  const after = announced.get(channel) ?? Number.NEGATIVE_INFINITY
  return waitingIn(room, channel).filter((entry) => {
    const { letter, left, since: handedIn } = entry
    const down = laneOf(room, entry).trouble()
    const isKept = left || (down !== null && now - down.at > LATE_MS)
    return isKept && letter.title !== '' && letter.at > after && now - handedIn > LATE_MS
  })
}

function waitingIn(room: Room, channel: string): readonly Entry[] {
  return [...room.lane('post', channel).entries, ...room.lane('change', channel).entries]
}

function since(room: Room, channel: string, late: readonly Entry[]): number {
  const troubles = [room.lane('post', channel).trouble(), room.lane('change', channel).trouble()]
  const starts = troubles.flatMap((trouble) => (trouble === null ? [] : [trouble.since]))
  return Math.min(...starts, ...late.map(({ letter }) => letter.at))
}
