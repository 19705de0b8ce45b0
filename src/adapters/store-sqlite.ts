import { closeSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Log } from '../domain/ports.ts'
import type { Store } from '../domain/store.ts'
import { damaged, failure, openFailure } from './store-failure.ts'
import type { StoreLock } from './store-lock.ts'
import { lockStore } from './store-lock.ts'
import { KNOWN_VERSION, migrate, schemaVersion } from './store-schema.ts'
import type { Statements } from './store-statements.ts'
import { statementsOn } from './store-statements.ts'
import { tablesOf } from './store-tables.ts'

type Redact = (text: string) => string

export interface StoreOptions {
  /** a file, or `:memory:` */
  readonly path: string
  readonly log?: Log
  /** takes secrets out of prompts and answers before they are written */
  readonly redact: Redact
  /** epoch ms, for the note in the lock */
  readonly now?: () => number
}

/** Opens the embedded store, made anew where the file is missing. One process at a time: a second one is refused. */
export async function openStore(options: StoreOptions): Promise<Outcome<Store>> {
  const { path, now = Date.now } = options
  if (path === ':memory:') return openDatabase(options, null)
  const obstacle = look(path)
  if (obstacle !== null) return failed(obstacle)
  const lock = lockStore(path, now())
  return lock.ok ? openDatabase(options, lock.value) : failed(lock.failure)
}

/** What stands in the way, seen before anything is made; SQLite has one word ("unable to open") for all of it. */
function look(path: string): Failure | null {
  const folder = dirname(path)
  try {
    const there = statSync(path, { throwIfNoEntry: false })
    if (there !== undefined && !there.isFile()) {
      const what = there.isDirectory() ? 'it is a folder' : 'it is a device, not a file'
      return failure(path, what, `name a file, such as ${join(there.isDirectory() ? path : folder, 'pilotflame.db')}`)
    }
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      return failure(path, `there is no folder ${folder}`, `make it (mkdir -p ${folder}), or name another path`)
    }
    return null
  } catch (error) {
    return openFailure(path, error)
  }
}

function openDatabase({ path, log, redact }: StoreOptions, lock: StoreLock | null): Outcome<Store> {
  let db: DatabaseSync | null = null
  try {
    if (lock !== null) createPrivate(path)
    db = new DatabaseSync(path, { timeout: 2000 })
    const problem = prepare(db, path, log)
    if (problem === null) return ok(storeOn(db, statementsOn(db, path), redact, lock))
    return giveUp(problem, db, lock)
  } catch (error) {
    return giveUp(openFailure(path, error), db, lock)
  }
}

function storeOn(db: DatabaseSync, sql: Statements, redact: Redact, lock: StoreLock | null): Store {
  const tables = tablesOf(sql, redact)
  return {
    ...tables,
    async prune(before) {
      const pruned = await tables.prune(before)
      // the write-ahead log still holds what was dropped
      await sql.run('PRAGMA wal_checkpoint(TRUNCATE)')
      return pruned
    },
    async close() {
      if (!db.isOpen) return
      db.close()
      lock?.release()
    },
  }
}

function giveUp(why: Failure, db: DatabaseSync | null, lock: StoreLock | null): Outcome<Store> {
  db?.close()
  lock?.release()
  return failed(why)
}

/** The file holds prompts and answers: nobody else may read it. SQLite gives its side files the same rights. */
function createPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}

/** Every commit reaches the disk (FULL), and what is deleted is overwritten (secure_delete). */
const SETTINGS =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF'

/** Looks before it changes anything: the file of another program or of a newer Pilotflame stays as it is. */
function prepare(db: DatabaseSync, path: string, log: Log | undefined): Failure | null {
  const found = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
  if (found !== 'ok') {
    log?.error('store damaged', { path, found })
    return damaged(path)
  }
  const version = schemaVersion(db)
  if (version === null) return failure(path, 'it is the database of another program', 'name another path')
  if (version > KNOWN_VERSION) {
    const saw = `a newer Pilotflame wrote it (its schema is ${version}, this one knows ${KNOWN_VERSION})`
    return failure(path, saw, 'start the newer Pilotflame, or name another path')
  }
  db.exec(SETTINGS)
  migrate(db, version)
  // what is answered by a letter was settled but for a crash between the two
  db.exec(SETTLE_ANSWERED)
  // claimed by a process that ended before it had done anything about it, and had promised nothing
  db.exec('DELETE FROM seen WHERE settled = 0 AND ask IS NULL')
  if (version < KNOWN_VERSION) log?.info('store migrated', { path, from: version, to: KNOWN_VERSION })
  return null
}

const SETTLE_ANSWERED = `UPDATE seen SET settled = 1, ask = NULL WHERE settled = 0 AND (
  id IN (SELECT ask FROM letters) OR ask IN (SELECT ask FROM seen WHERE id IN (SELECT ask FROM letters)))`
