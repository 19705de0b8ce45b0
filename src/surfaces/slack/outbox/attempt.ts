import type { Refusal } from '../refusal.ts'
import { isOfToken } from '../refusal.ts'
import type { Lane, Step } from './lane.ts'
import type { Content, Entry, Wire } from './letter.ts'
import { digestWire, endOutage } from './outage.ts'
import { retryMs } from './pace.ts'
import type { Part } from './parts.ts'
import { insteadOf } from './parts.ts'
import type { Room } from './room.ts'
import { entriesIn, laneOf, leave, remember, tell, wholeOf } from './room.ts'
import { send } from './send.ts'

/** A letter that fails so often while others pass is given up. */
const TRIES = 8

const GONE: Step = { kind: 'gone', reached: true }

/** Brings one letter to Slack, or says what to wait for. */
export async function attempt(room: Room, entry: Entry): Promise<Step> {
  const { clock } = room
  follow(room, entry)
  const wire: Wire | null = entry.content.digest ? digestWire(room, entry) : entry.content
  if (wire === null) return done(room, entry, '')
  const heard = () => void reached(room)
  const tried = await send(entry, wire, { ...room, now: clock.now, heard })
  switch (tried.kind) {
    case 'sent':
      return done(room, entry, tried.ts)
    case 'stands':
      entry.letter = { ...entry.letter, ts: tried.ts }
      laneOf(room, entry).push(entry)
      return reached(room)
    case 'again':
      return again(room, entry, tried.refusal)
    case 'refused':
      return refused(room, entry, wire, tried.refusal)
  }
}

/** What is said under another letter goes into the thread of its message. */
function follow({ threads }: Room, entry: Entry): void {
  const { place } = entry.letter
  const thread = entry.content.under === null ? undefined : threads.get(entry.content.under)
  if (place.thread === null && thread !== undefined) entry.letter = { ...entry.letter, place: { ...place, thread } }
}

async function done(room: Room, entry: Entry, ts: string): Promise<Step> {
  const { letter } = entry
  remember(room, letter, ts)
  tell(entry, { ok: true, ts })
  const followers = entriesIn(room).filter(({ content }) => content.under === wholeOf(letter.id))
  const covered = entry.content.digest ? endOutage(room, letter.place.channel) : []
  await leave(room, entry, new Set([...followers.map((one) => one.letter.id), ...covered]))
  return reached(room)
}

/** Slack answers: whoever waits for that tries again at once. */
function reached({ last, clock, lanes }: Room): Step {
  last.reachedAt = clock.monotonic()
  for (const lane of lanes.values()) lane.wake()
  return GONE
}

function again(room: Room, entry: Entry, refusal: Refusal): Step | Promise<Step> {
  const now = room.clock.monotonic()
  if (refusal.kind === 'limited') {
    const least = Math.max(refusal.waitMs, retryMs(1))
    return { kind: 'wait', refusal, down: false, ms: () => least, least }
  }
  entry.failures += 1
  if (entry.failures === 1) entry.failedAt = now
  room.last.refusal = refusal
  // others were taken since: it is this one that Slack cannot do
  if (entry.failures >= TRIES && room.last.reachedAt > entry.failedAt) return give(room, entry, refusal)
  const unsure = entry.letter.ts === null && entry.letter.sentAt !== null
  return { kind: 'wait', refusal, down: true, ms: retryMs, least: unsure ? room.lookAfterMs : 0 }
}

async function refused(room: Room, entry: Entry, wire: Wire, refusal: Refusal): Promise<Step> {
  const { message, rung, passing } = entry
  const instead = insteadOf({ wire, refusal, lower: room.lower, message, rung, passing })
  if (instead !== null) {
    logInstead(instead, refusal, room)
    await replace(room, entry, instead)
    return reached(room)
  }
  // a token can be mended, and nobody hears of this one any more
  if (entry.told && isOfToken(refusal)) return { kind: 'wait', refusal, down: true, ms: retryMs, least: 0 }
  return give(room, entry, refusal)
}

/** Whoever draws a lower rung says so itself. */
function logInstead([first, ...others]: readonly Part[], { code, details }: Refusal, { log }: Room): void {
  if (first?.message !== null) return
  const said = others.length > 0 ? 'Slack refused a message; it goes in parts' : ALONE
  log.error(said, { code, details })
}

const ALONE = 'Slack refused the blocks of a message; its words go alone'

/** Slack's last word on this letter. */
async function give(room: Room, entry: Entry, refusal: Refusal): Promise<Step> {
  room.last.refusal = refusal
  if (entry.told)
    room.log.error('Slack took no message that was kept', { ...refusal, channel: entry.letter.place.channel })
  tell(entry, { ok: false, refusal })
  if (entry.content.digest) endOutage(room, entry.letter.place.channel)
  await leave(room, entry)
  return reached(room)
}

/** Drops what waited too long. A digest goes with the last of those of which it tells. */
export async function expire(room: Room, to: Lane): Promise<void> {
  const { clock, keptMs, log, outages, last } = room
  const old = to.entries.filter(({ since, content }) => !content.digest && clock.monotonic() - since > keptMs)
  for (const entry of old) {
    const { id, place } = entry.letter
    const [channel, hours] = [place.channel, keptMs / 3_600_000]
    log.error('A message was given up: Slack could not be reached for too long', { id, channel, hours })
    to.remove(entry)
    outages.get(channel)?.titles.delete(id)
    tell(entry, { ok: false, refusal: last.refusal ?? EXPIRED })
    await leave(room, entry)
  }
}

const EXPIRED: Refusal = { kind: 'no', code: 'kept too long', waitMs: 0, details: [] }

/** Parts take the place of a whole in its lane; the second and later ones of a change go below it. */
async function replace(room: Room, entry: Entry, parts: readonly Part[]): Promise<void> {
  const made = parts.map((part, at) => partOf(entry, part, at))
  for (const one of made) await room.shelf.keep(one)
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
    rung: entry.rung + 1,
    row: false,
    told: entry.told || !first,
    tell: (sent) => tell(entry, sent),
  }
}
