import { randomUUID } from 'node:crypto'
import type { Place } from '../../domain/ask.ts'
import type { Lane } from './outbox/lane.ts'
import { takeUp } from './outbox/left.ts'
import type { Content, Entry, Maybe, Sent } from './outbox/letter.ts'
import { entryOf } from './outbox/letter.ts'
import type { OutboxOptions } from './outbox/open-room.ts'
import { roomFor } from './outbox/open-room.ts'
import type { At, Progress } from './outbox/progress.ts'
import type { Room } from './outbox/room.ts'
import { entriesIn, laneOf, leave, tell } from './outbox/room.ts'
import { isGivenUp, isLate, refusalOf, tellKept, tellWaiting } from './outbox/told.ts'
import type { Message } from './pages.ts'
import type { Refusal } from './refusal.ts'

export type { OutboxOptions } from './outbox/open-room.ts'

/**
 * What must be seen in Slack, kept on disk until it surely is there: in order and about one a second in a channel, over
 * outages and restarts, and never twice.
 */
export interface Outbox extends Pick<Progress, 'show'> {
  /** Takes up what an earlier process left. Before anything else is handed in. */
  open(): Promise<void>
  /** Resolves when Slack has it, has refused it for good, or cannot be reached and it is kept. */
  add(given: Given): Promise<Sent>
  /**
   * The same for all letters of one answer: on disk together or not at all. `kept` is called when the first of them is
   * safe, which is before anything goes out; where nothing is kept on disk, when Slack has it. Never where neither is so.
   */
  addAll(givens: readonly Given[], kept: Kept): Promise<readonly Promise<Sent>[]>
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
  /** the ask that it answers */
  readonly ask?: string | null
}

/** Told that no crash can lose an answer any more. */
export type Kept = () => Promise<void>

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
    addAll: (givens, kept) => addAll(room, givens, kept),
    waitsFor: ({ channel, ts }) =>
      room.lane('change', channel).entries.some(({ letter, passing }) => letter.ts === ts && !passing),
    waiting() {
      const all = entriesIn(room).filter(({ passing }) => !passing)
      const oldest = Math.min(...all.map(({ since }) => since))
      const oldestMs = all.length === 0 ? null : clock.monotonic() - oldest
      return { count: all.length, oldestMs, refusal: room.last.refusal?.code ?? null }
    },
    hurry() {
      room.last.patienceMs = 0
      for (const one of room.lanes.values()) if (one.trouble() !== null || one.limit() !== null) tellWaiting(room, one)
    },
    async close(ms) {
      const enough = new AbortController()
      await Promise.race([quiet(room, enough.signal), room.pause(ms, enough.signal)])
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

/** Resolves when nothing is on its way where Slack is reached. What one lane sends may begin another. */
async function quiet({ lanes }: Room, signal: AbortSignal): Promise<void> {
  const isAtWork = (one: Lane) => one.busy() && one.trouble() === null
  for (let atWork = [...lanes.values()].filter(isAtWork); atWork.length > 0 && !signal.aborted; ) {
    await Promise.all(atWork.map((one) => one.rest()))
    atWork = [...lanes.values()].filter(isAtWork)
  }
}

async function add(room: Room, given: Given): Promise<Sent> {
  const to = laneFor(room, given)
  if (given.passing === true && isGivenUp(room, to)) return { ok: false, refusal: refusalOf(room, to) }
  const [sent] = await addAll(room, [given], null)
  return sent ?? { ok: false, refusal: FULL }
}

function laneFor(room: Room, { ts, place }: Pick<Given, 'ts' | 'place'>): Lane {
  return room.lane(ts === null ? 'post' : 'change', place.channel)
}

/** Rows first, then `kept`, and only then does anything go out: what somebody saw is never told again. */
async function addAll(room: Room, givens: readonly Given[], kept: Kept | null): Promise<readonly Promise<Sent>[]> {
  if (entriesIn(room).length + givens.length > MOST) {
    const channel = givens[0]?.place.channel
    room.log.error('A message is refused: too many wait for Slack already', { waiting: MOST, channel })
    return givens.map(() => Promise.resolve({ ok: false, refusal: FULL }))
  }
  const handed = givens.map((given) => handedIn(room, given))
  const entries = handed.map(({ entry }) => entry)
  await room.shelf.keep(entries)
  const [first] = entries
  if (first?.row === true) await kept?.()
  else if (first !== undefined) first.kept = kept
  // all at once: what is under another must be there when that one is sent
  for (const entry of entries) laneOf(room, entry).push(entry)
  for (const entry of entries) {
    if (entry.letter.ts !== null) await supersede(room, entry)
    if (isLate(room, laneOf(room, entry))) tellKept(room, entry)
  }
  return handed.map(({ sent }) => sent)
}

function handedIn(room: Room, given: Given): { readonly entry: Entry; readonly sent: Promise<Sent> } {
  const { place, ts, passing = false, over = null, content, message } = given
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const thread = place.thread ?? (content.under === null ? null : room.threads.get(content.under)) ?? null
  const draft = {
    id: over?.id ?? given.id ?? randomUUID(),
    ask: given.ask ?? null,
    sentAt: over?.sentAt ?? null,
    place: { ...place, thread },
    ts,
    content: { ...content, over: over !== null },
    message,
    rung: 0,
    passing,
    tell: resolve,
  }
  return { entry: entryOf(draft, room.clock), sent: promise }
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
