import { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { failure, isBusy, openFailure } from './store-failure.ts'

/** The right to be the only process on a store. */
export interface StoreLock {
  release(): void
}

/**
 * Keeps the store at `path` for this process by an open write transaction on `<path>.lock`. The kernel frees it when the
 * process dies, also after kill -9. IMMEDIATE, not EXCLUSIVE, so that whoever is refused can still read who holds it.
 */
export function lockStore(path: string, now: number): Outcome<StoreLock> {
  const file = `${path}.lock`
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { timeout: 200 })
    db.exec('CREATE TABLE IF NOT EXISTS holder (one INTEGER PRIMARY KEY, pid INTEGER, since INTEGER)')
    db.exec(`REPLACE INTO holder VALUES (1, ${process.pid}, ${now}); BEGIN IMMEDIATE`)
    return ok(lockOf(db))
  } catch (error) {
    const why = db !== null && isBusy(error) ? refused(path, db) : openFailure(file, error)
    db?.close()
    return failed(why)
  }
}

function lockOf(db: DatabaseSync): StoreLock {
  return { release: () => db.close() }
}

/** Kind `busy`, unlike all other failures of a store: it passes by itself. */
function held(path: string, observed: string): Failure {
  const next = 'stop that process, or try again when it has ended (exit status 75)'
  return { ...failure(path, observed, next), kind: 'busy' }
}

function refused(path: string, db: DatabaseSync): Failure {
  try {
    const row = db.prepare('SELECT pid, since FROM holder').get()
    const since = new Date(Number(row?.['since'])).toISOString()
    return held(path, `process ${row?.['pid']} has held it since ${since}`)
  } catch {
    return held(path, 'another process holds it')
  }
}
