import type { Refusal } from '../refusal.ts'
import { isOfToken } from '../refusal.ts'
import type { Lane, Step } from './lane.ts'
import type { Entry, Wire } from './letter.ts'
import { contentOf } from './letter.ts'
import { digestWire, endOutage } from './outage.ts'
import { retryMs } from './pace.ts'
import type { Part } from './parts.ts'
import { insteadOf } from './parts.ts'
import { belowOf, partsOf, replace } from './replace.ts'
import type { Room } from './room.ts'
import { followersOf, laneOf, leave, remember, tell } from './room.ts'
import { send } from './send.ts'

/** A letter that fails so often while others pass lets the others go first; it is kept all the same. */
const TRIES = 8

type Gone = Extract<Step, { readonly kind: 'gone' }>

const GONE: Gone = { kind: 'gone', reached: true, sent: false }

/** Brings one letter to Slack, or says what to wait for. */
export async function attempt(room: Room, entry: Entry): Promise<Step> {
  const { clock } = room
  follow(room, entry)
  const forms = formsOf(room, entry)
  if (forms !== null) {
    await replace(room, entry, partsOf(entry, forms))
    return { ...GONE, reached: false }
  }
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

/** What was learnt since it was handed in; null: nothing that it has to heed. What may stand already is found as it is. */
function formsOf({ redrawn }: Room, { message, letter }: Entry): readonly Part[] | null {
  const forms = message === null || letter.sentAt !== null ? null : redrawn(message)
  return forms?.map((one) => ({ wire: contentOf(one), message: one })) ?? null
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
  await entry.kept?.()
  tell(entry, { ok: true, ts })
  // these find their thread by its row, should they be left to another process
  const followers = followersOf(room, entry).filter((one) => one.letter.place.thread === null)
  const covered = entry.content.digest ? endOutage(room, letter.place.channel) : []
  await leave(room, entry, new Set([...followers.map((one) => one.letter.id), ...covered]))
  return { ...reached(room), sent: true }
}

/** Slack answers: whoever waits for that tries again at once. */
function reached({ last, clock, lanes }: Room): Gone {
  last.reachedAt = clock.monotonic()
  for (const lane of lanes.values()) lane.wake()
  return GONE
}

function again(room: Room, entry: Entry, refusal: Refusal): Step {
  room.last.refusal = refusal
  if (refusal.kind === 'limited') {
    const least = Math.max(refusal.waitMs, retryMs(1))
    return { kind: 'wait', refusal, down: false, ms: () => least, least }
  }
  const now = room.clock.monotonic()
  count(entry, now)
  // others were taken since: it may be this one that Slack cannot do
  entry.aside = entry.failures >= TRIES && room.last.reachedAt > entry.failedAt
  const unsure = entry.letter.ts === null && entry.letter.sentAt !== null
  const ms = (failures: number) => Math.max(retryMs(failures), entry.dueAt - now)
  return { kind: 'wait', refusal, down: true, ms, least: unsure ? room.lookAfterMs : 0 }
}

/** A try that others called before its own time says nothing about the letter. */
function count(entry: Entry, now: number): void {
  if (now < entry.dueAt) return
  entry.failures += 1
  if (entry.failures === 1) entry.failedAt = now
  entry.dueAt = now + retryMs(entry.failures)
}

async function refused(room: Room, entry: Entry, wire: Wire, refusal: Refusal): Promise<Step> {
  const { message, rung, passing } = entry
  const instead = insteadOf({ wire, refusal, lower: room.lower, message, rung, passing })
  if (instead !== null) {
    logInstead(instead, refusal, room)
    await replace(room, entry, partsOf(entry, instead))
    return reached(room)
  }
  if (isOfToken(refusal)) {
    // it can be mended, and nobody hears of this one any more
    if (entry.told) return { kind: 'wait', refusal, down: true, ms: retryMs, least: 0 }
  } else if (entry.content.below && entry.letter.ts !== null) {
    room.log.warn('The running message could not be changed; the verdict goes below it', { ...refusal })
    await replace(room, entry, [belowOf(entry, entry.letter.ts)])
    return reached(room)
  }
  return give(room, entry, refusal)
}

/** Whoever draws a lower rung says so itself. */
function logInstead([first, ...others]: readonly Part[], { code, details }: Refusal, { log }: Room): void {
  if (first?.message !== null) return
  const said = others.length > 0 ? 'Slack refused a message; it goes in parts' : ALONE
  log.error(said, { code, details })
}

const ALONE = 'Slack refused the blocks of a message; its words go alone'

/** Slack's last word on this letter, and so on what goes under it. */
async function give(room: Room, entry: Entry, refusal: Refusal): Promise<Step> {
  room.last.refusal = refusal
  if (entry.told)
    room.log.error('Slack took no message that was kept', { ...refusal, channel: entry.letter.place.channel })
  tell(entry, { ok: false, refusal })
  if (entry.content.digest) endOutage(room, entry.letter.place.channel)
  const followers = followersOf(room, entry)
  for (const one of [entry, ...followers]) await leave(room, one)
  for (const one of followers) {
    laneOf(room, one).remove(one)
    tell(one, { ok: false, refusal })
  }
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
