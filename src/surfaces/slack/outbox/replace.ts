import type { Content, Entry } from './letter.ts'
import type { Part } from './parts.ts'
import type { Room } from './room.ts'
import { laneOf, leave, tell, wholeOf } from './room.ts'

/** These take the place of a whole in its lane; the second and later ones of a change go below it. */
export async function replace(room: Room, entry: Entry, made: readonly Entry[]): Promise<void> {
  await room.shelf.keep(made)
  const posts = room.lane('post', entry.letter.place.channel)
  const [first, ...others] = made
  if (first === undefined) return
  posts.unshift(others)
  laneOf(room, first).unshift([first])
  // rows that stay for the whole stay for its parts
  for (const { until } of room.holds.values())
    if (until.has(entry.letter.id)) for (const { letter } of made) until.add(letter.id)
  await leave(room, entry)
}

export function partsOf(entry: Entry, parts: readonly Part[]): readonly Entry[] {
  let missing = parts.length
  const kept = async (): Promise<void> => {
    missing -= 1
    if (missing === 0) await entry.kept?.()
  }
  return parts.map((part, at) => ({ ...partOf(entry, part, at), rung: entry.rung + 1, kept }))
}

/** The same in the thread of the message that could not be changed. */
export function belowOf(entry: Entry, ts: string): Entry {
  const made = partOf(entry, { wire: entry.content, message: entry.message }, 0)
  const { place } = entry.letter
  return { ...made, letter: { ...made.letter, ts: null, place: { ...place, thread: place.thread ?? ts } } }
}

function partOf(entry: Entry, { wire, message }: Part, at: number): Entry {
  const { letter, content } = entry
  const first = at === 0
  const thread = letter.place.thread ?? (first ? null : letter.ts)
  const under = first || thread !== null ? content.under : wholeOf(letter.id)
  const now: Content = { ...content, ...wire, over: false, under }
  return {
    ...entry,
    letter: {
      ...letter,
      id: `${letter.id}.${at + 1}`,
      place: { ...letter.place, thread },
      ts: first ? letter.ts : null,
      content: JSON.stringify(now),
      title: first ? letter.title : '',
      sentAt: null,
    },
    content: now,
    message,
    row: false,
    told: entry.told || !first,
    tell: (sent) => tell(entry, sent),
  }
}
