import type { Entry } from './letter.ts'
import { entryFrom } from './letter.ts'
import type { Room } from './room.ts'
import { laneOf } from './room.ts'

/** Takes up what an earlier process left: what it was sending is looked for before it is sent. */
export async function takeUp(room: Room): Promise<void> {
  const { shelf, clock, log } = room
  const letters = await shelf.left()
  const ids = new Set(letters.map(({ id }) => id))
  const entries: Entry[] = []
  for (const letter of letters) {
    const entry = entryFrom(letter, clock)
    if (entry === null) {
      log.error('A message that waited cannot be read and is given up', { id: letter.id })
      await shelf.forget(letter.id)
    } else if (ids.has(`${letter.id}.1`)) await shelf.drop(entry)
    else entries.push(entry)
  }
  if (entries.length > 0) log.info('Messages of an earlier process wait', { waiting: entries.length })
  for (const entry of entries.filter(({ content }) => !content.digest)) laneOf(room, entry).push(entry)
  // one that may stand already keeps the channel from getting a second one
  for (const digest of entries.filter(({ content }) => content.digest)) laneOf(room, digest).unshift([digest])
}
