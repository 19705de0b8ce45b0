import type { Letter } from '../../../domain/letter.ts'
import type { Refusal } from '../refusal.ts'
import type { Lane } from './lane.ts'
import type { Entry, Maybe } from './letter.ts'
import type { Room } from './room.ts'
import { followersOf, laneOf, tell } from './room.ts'

/** Nobody waits for ever where Slack cannot be reached or orders a long wait, and what is overtaken anyway is given up. */
export function tellWaiting(room: Room, to: Lane): void {
  const now = room.clock.monotonic()
  const { patienceMs } = room.last
  const ahead = to.limit()?.ms ?? 0
  for (const entry of [...to.entries]) {
    const isLate = now - entry.since + ahead >= patienceMs
    const isOver = entry.passing ? isGivenUp(room, to) : isLate
    if (isOver) tellKept(room, entry)
    if (isOver && entry.passing) to.remove(entry)
  }
}

/** Whether a passing state would come too late here. */
export function isGivenUp({ last }: Room, to: Lane): boolean {
  return (to.trouble()?.failures ?? 0) > 1 || (to.limit()?.ms ?? 0) >= last.patienceMs
}

/** Whether somebody who hands in a letter here now would wait for too long. */
export function isLate({ clock, last, stop }: Room, to: Lane): boolean {
  const trouble = to.trouble()
  const isDown = trouble !== null && clock.monotonic() - trouble.at > last.patienceMs
  return stop.signal.aborted || isDown || (to.limit()?.ms ?? 0) >= last.patienceMs
}

/** The one who handed it in need not wait any longer, neither for what goes under it. */
export function tellKept(room: Room, entry: Entry): void {
  const refusal = refusalOf(room, laneOf(room, entry))
  for (const one of [entry, ...followersOf(room, entry)]) {
    const { passing, letter } = one
    tell(one, { ok: false, refusal, ...(passing ? maybe(letter) : { kept: letter.id }) })
  }
}

/** What keeps the letters of a lane from Slack. */
export function refusalOf({ stop, last }: Room, to: Lane): Refusal {
  const known = to.trouble()?.refusal ?? to.limit()?.refusal ?? null
  return known ?? (stop.signal.aborted ? STOPPED : (last.refusal ?? STOPPED))
}

function maybe({ id, sentAt }: Letter): { readonly maybe?: Maybe } {
  return sentAt === null ? {} : { maybe: { id, sentAt } }
}

const STOPPED: Refusal = { kind: 'unsent', code: 'Pilotflame is being stopped', waitMs: 0, details: [] }
