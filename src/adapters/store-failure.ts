import { dirname } from 'node:path'
import type { Failure } from '../domain/failure.ts'
import type { Disk } from './disk.ts'
import { diskOf } from './disk.ts'

/** What went wrong with the store at `path`, in words. `error` is whatever SQLite or the file system threw. */
export function storeFailure(path: string, error: unknown, look: Look = diskOf): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const words = KNOWN.get(causeOf(path, error, look)) ?? [
    `SQLite says: ${message}`,
    'look at PATH and its disk, then try again',
  ]
  return said(path, words)
}

/** The same while it is opened: nothing runs that could go on by itself. */
export function openFailure(path: string, error: unknown, look: Look = diskOf): Failure {
  const cause = causeOf(path, error, look)
  return cause === FULL || cause === 'ENOSPC' ? said(path, FULL_AT_START) : storeFailure(path, error, look)
}

/** Looks at the disk of a folder. */
type Look = (folder: string) => Disk

/** A failure of the store at `path`. */
export function failure(path: string, observed: string, next: string): Failure {
  return { kind: 'store', thing: `store ${path}`, observed, next }
}

/** What SQLite calls corrupt. */
export function damaged(path: string): Failure {
  return said(path, DAMAGED)
}

/** Whether somebody else holds the lock that was needed. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === 5
}

/** What was observed, and what to do next about PATH. */
type Words = readonly [observed: string, next: string]

function said(path: string, [observed, next]: Words): Failure {
  return failure(path, observed, next.replaceAll('FOLDER', dirname(path)).replaceAll('PATH', path))
}

const DAMAGED: Words = [
  'the database is damaged',
  'move PATH away and start again (a new one is made), or restore a backup',
]

const FULL = 13
const FULL_AT_START: Words = ['the disk is full', 'free some space, then start Pilotflame again; nothing was changed']

const READ_ONLY = 'EROFS'
const MOUNT =
  'mount it for writing (findmnt -T FOLDER shows how it is mounted), or name another path as store in pilotflame.yml'

/** By SQLite's primary result code (sqlite.org/rescode.html), by Node's code for the rest. */
const KNOWN = new Map<number | string | null, Words>([
  [5, ['another program holds the database locked', 'find it with `fuser PATH`, stop it, and try again']],
  [8, ['the file may only be read', 'give the user that runs Pilotflame the right to write PATH and its folder']],
  [10, ['the disk failed to read or write', 'look for I/O errors with `dmesg`, then restore PATH from a backup']],
  [11, DAMAGED],
  [FULL, ['the disk is full', 'free some space; nothing was changed and writing goes on by itself then']],
  [14, ['the file cannot be opened', 'look at the rights of PATH and of its folder']],
  [19, ['a record with this id is there already', 'report this as a bug of Pilotflame']],
  [26, ['the file is not a database', 'name another path, or move PATH away']],
  ['EACCES', ['this user may not open the file', 'give the user that runs Pilotflame the right to write PATH']],
  [READ_ONLY, ['its file system may only be read', MOUNT]],
  ['ENOSPC', ['the disk is full', 'free some space and try again']],
  ['ERR_INVALID_STATE', ['the store is closed', 'start Pilotflame again']],
])

/** What SQLite and the system say of many things: that a file cannot be opened, read or written. The disk tells which. */
const VAGUE: ReadonlySet<number | string | null> = new Set([8, 10, 14, 'EACCES'])
/** Less than SQLite needs for its side files, in bytes. */
const NO_ROOM = 256 * 1024

function causeOf(path: string, error: unknown, look: Look): number | string | null {
  const code = codeOf(error)
  if (!VAGUE.has(code)) return code
  const { obstacle, free } = look(dirname(path))
  if (obstacle === 'read-only') return READ_ONLY
  return code === 10 && free !== null && free < NO_ROOM ? FULL : code
}

function codeOf(error: unknown): number | string | null {
  if (!(error instanceof Error)) return null
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}
