import { DatabaseSync } from 'node:sqlite'

/** A lease in a store that all replicas share. It tells one that it works alone, and cannot stop one that was asleep. */
export interface Lease {
  /** True where it is ours from now on, for as long as a lease lasts. */
  take(): boolean
  drop(): void
  close(): void
}

export function openLease(file: string, owner: string, lastsMs: number): Lease {
  const store = new DatabaseSync(file, { timeout: 5000 })
  store.exec('CREATE TABLE IF NOT EXISTS lease (name TEXT PRIMARY KEY, owner TEXT, until INTEGER)')
  store.exec("INSERT OR IGNORE INTO lease VALUES ('slow', '', 0)")
  const take = store.prepare('UPDATE lease SET owner = ?, until = ? WHERE owner = ? OR until <= ?')
  const drop = store.prepare('UPDATE lease SET until = 0 WHERE owner = ?')
  return {
    take() {
      const now = Date.now()
      return take.run(owner, now + lastsMs, owner, now).changes === 1
    },
    drop: () => void drop.run(owner),
    close: () => store.close(),
  }
}
