import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Disk } from '../adapters/disk.ts'
import { diskOf } from '../adapters/disk.ts'
import type { Check, CheckResult } from '../domain/check.ts'
import type { Notes } from '../domain/store.ts'
import { fault } from './host-checks.ts'

/** What the store is to be written with; null: the bot has it, and nothing is written from here. */
type Writing = { readonly notes: Notes; readonly now: () => number } | null

/** What `doctor` looks at on the bot's own disk: without it audit lines, locks and attempts are lost. None of a store in memory. */
export function storeChecks(path: string, writing: Writing, look: Look = diskOf): readonly Check[] {
  if (path === ':memory:') return []
  return [{ name: `store ${path}`, run: async () => settled(path, look, writing) }]
}

/** Looks at the disk of a folder, or of a file in it. */
type Look = (path: string) => Disk

const KIB = 1024
const MIB = KIB * KIB
const GIB = MIB * KIB
/** Below this nothing can be relied on to be written, in bytes. */
const FULL = MIB
/** A week of prompts and answers takes less than this, in bytes. */
const SCARCE = 200 * MIB

const SPACE = 'free some space there; whatever cannot be recorded is not done, and audit lines are lost'

async function settled(path: string, look: Look, writing: Writing): Promise<CheckResult> {
  const folder = dirname(path)
  const { obstacle, free } = look(folder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return { state: 'fault', saw: `there is no folder ${folder}`, next: `make it: mkdir -p ${folder}` }
  if (obstacle === 'read-only')
    return { state: 'fault', saw: 'its file system may only be read', next: `mount ${folder} for writing` }
  if (obstacle === 'rights') return noRight(folder, writing)
  const left = free === null ? 'how much space is left is not known' : `${sizeOf(free)} left`
  if (free !== null && free < FULL) return { state: 'fault', saw: `the disk is full: ${left}`, next: SPACE }
  const closed =
    writing === null ? SIDES.map((side) => path + side).find((file) => look(file).obstacle !== null) : undefined
  if (closed !== undefined) return noRight(closed, writing)
  const written = writing === null ? null : await tried(writing)
  if (written !== null && !written.ok) return fault('store', written.failure)
  const saw = `${written === null ? 'may be written' : 'can be written'}, ${left}`
  if (free !== null && free < SCARCE) return { state: 'warning', saw, next: SPACE }
  return { state: 'ok', saw }
}

/** In a terminal sits another user than the bot's, perhaps. */
function noRight(place: string, writing: Writing): CheckResult {
  const next = `give the user that runs Pilotflame the right to write ${place}`
  return writing === null
    ? { state: 'warning', saw: `you may not write ${place}; the bot has to`, next }
    : { state: 'fault', saw: `this user may not write ${place}`, next }
}

/** The file itself and what SQLite keeps beside it, of which some may not be there. */
const SIDES = ['', '-wal', '-shm'] as const

/** Writes a note and takes it back: both reach the disk. */
async function tried({ notes, now }: NonNullable<Writing>) {
  const written = await notes.note(KEY, String(now()))
  return written.ok ? notes.note(KEY, null) : written
}

const KEY = 'doctor'

function sizeOf(bytes: number): string {
  return bytes >= GIB ? `${(bytes / GIB).toFixed(1)} GiB` : `${Math.floor(bytes / MIB)} MiB`
}
