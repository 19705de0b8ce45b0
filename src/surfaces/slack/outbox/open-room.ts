import { randomUUID } from 'node:crypto'
import type { Letters } from '../../../domain/letter.ts'
import type { Clock, Log } from '../../../domain/ports.ts'
import { attempt, expire } from './attempt.ts'
import type { Call } from './call.ts'
import type { Pause } from './hold.ts'
import type { Lane, Step } from './lane.ts'
import { lane } from './lane.ts'
import type { Entry } from './letter.ts'
import { announce } from './outage.ts'
import { updatePace } from './pace.ts'
import type { Lower, Redrawn } from './parts.ts'
import type { Progress } from './progress.ts'
import { progress } from './progress.ts'
import type { LaneKind, Room } from './room.ts'
import { draftOf, enqueue, isReady, laneOf, leave, tell } from './room.ts'
import { shelf } from './shelf.ts'
import { tellWaiting } from './told.ts'

export interface OutboxOptions {
  readonly call: Call
  /** null: nothing is kept on disk */
  readonly store?: Letters | null
  /** ms after which a letter that Slack could not be given is dropped */
  readonly keptMs?: number
  readonly clock: Clock
  /** Waits until a channel may have another message: about one a second. */
  readonly pace: (channel: string) => Promise<void>
  readonly pause: Pause
  readonly log: Log
  readonly lower?: Lower
  readonly redrawn?: Redrawn
  readonly lookAfterMs?: number
}

/** Whoever hands in a letter waits for its end so long, in ms; where Slack cannot be reached it is kept from then on. */
const PATIENCE_MS = 20_000
const KEPT_MS = 72 * 3_600_000
/** A request that we gave up may still be at work in Slack; ms until it is looked for. */
const LOOK_AFTER_MS = 3_000

export interface OpenRoom extends Room {
  readonly progress: Progress
}

/** All lanes, each made when it is first needed. */
export function roomFor({
  store = null,
  keptMs = KEPT_MS,
  pace,
  lower = () => null,
  redrawn = () => null,
  lookAfterMs = LOOK_AFTER_MS,
  ...given
}: OutboxOptions): OpenRoom {
  const updates = updatePace(given.clock)
  const lanes = new Map<string, Lane>()
  const room: Room = {
    ...given,
    lower,
    redrawn,
    lookAfterMs,
    keptMs,
    shelf: shelf(store, given.log),
    stop: new AbortController(),
    lanes,
    lane(kind, channel) {
      const key = keyOf(kind, channel)
      if (lanes.size >= LANES) tidy(lanes)
      const found = lanes.get(key) ?? laneFor(room, shown, { kind, channel, pace, final: updates.final })
      lanes.set(key, found)
      return found
    },
    threads: new Map(),
    holds: new Map(),
    outages: new Map(),
    announced: new Map(),
    last: { reachedAt: Number.NEGATIVE_INFINITY, refusal: null, patienceMs: PATIENCE_MS },
  }
  const shown = progress(room, updates)
  return { ...room, progress: shown }
}

function keyOf(kind: LaneKind, channel: string): string {
  return `${kind} ${channel}`
}

/** Above so many those at rest are forgotten. */
const LANES = 1_000

function tidy(lanes: Map<string, Lane>): void {
  for (const [key, one] of lanes)
    if (one.entries.length === 0 && one.trouble() === null && one.limit() === null) lanes.delete(key)
}

interface LaneNeeds {
  readonly kind: LaneKind
  readonly channel: string
  readonly pace: OutboxOptions['pace']
  /** ms until a change may go out */
  readonly final: () => number
}

function laneFor(room: Room, shown: Progress, { kind, channel, pace, final }: LaneNeeds): Lane {
  const { stop, clock, pause } = room
  const made: Lane = lane({
    clock,
    pause,
    signal: stop.signal,
    rotates: kind === 'change',
    async before() {
      await expire(room, made)
      await announce(room, channel)
    },
    async turn({ letter }) {
      if (letter.ts === null) return pace(channel)
      const ms = final()
      if (ms > 0) await pause(ms, stop.signal)
      return shown.end({ channel, ts: letter.ts })
    },
    async attempt(entry) {
      const step = await attempt(room, entry)
      const { ts } = entry.letter
      if (ts === null) return step
      if (step.kind === 'wait') return unlessOvertaken(room, entry, step)
      if (step.sent) repeatAfter(room, shown, entry, ts)
      return step
    },
    troubled: () => tellWaiting(room, made),
    ready: (entry) => isReady(room, entry),
    left: () => room.lanes.get(keyOf('post', channel))?.start(),
  })
  return made
}

/** A change that was on its way may come after the final state, which then has to be sent again. */
function repeatAfter(room: Room, shown: Progress, { letter, content }: Entry, ts: string): void {
  const late = shown.late({ channel: letter.place.channel, ts })
  const again = { ...content, below: false }
  void late?.then(() => enqueue(room, draftOf({ id: randomUUID(), place: letter.place, ts }, again)))
}

/** A state that failed and has a newer one behind it is not tried again: it would come after it. */
async function unlessOvertaken(room: Room, entry: Entry, step: Step): Promise<Step> {
  const { entries } = laneOf(room, entry)
  const newer = entries.some((one) => one !== entry && one.letter.ts === entry.letter.ts)
  if (!newer) return step
  tell(entry, { ok: true, ts: entry.letter.ts ?? '' })
  await leave(room, entry)
  return { kind: 'gone', reached: false, sent: false }
}
