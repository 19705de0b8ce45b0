import type { DatabaseSync } from 'node:sqlite'

/**
 * The schema, one entry a version: entries are added, never changed. Portable SQL: no JSON operators, times in epoch ms.
 * Text columns hold JSON (store-guards.ts); `place` is channel and thread in one key, so that no null is part of a key.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE schema_version (version BIGINT PRIMARY KEY);
   CREATE TABLE threads (place TEXT PRIMARY KEY, target TEXT NOT NULL, at BIGINT NOT NULL);
   CREATE TABLE attempts (
     id TEXT PRIMARY KEY, place TEXT NOT NULL, number BIGINT NOT NULL, at BIGINT NOT NULL,
     body TEXT NOT NULL, kept TEXT,
     UNIQUE (place, number)
   );
   CREATE INDEX attempts_at ON attempts (at);
   CREATE TABLE buttons (id TEXT PRIMARY KEY, expires BIGINT NOT NULL, body TEXT NOT NULL);
   CREATE INDEX buttons_expires ON buttons (expires);
   CREATE TABLE seen (id TEXT PRIMARY KEY, at BIGINT NOT NULL);
   CREATE INDEX seen_at ON seen (at);
   CREATE TABLE runs (id TEXT PRIMARY KEY, at BIGINT NOT NULL, body TEXT NOT NULL);
   CREATE TABLE audits (number INTEGER PRIMARY KEY, body TEXT NOT NULL);`,
  'ALTER TABLE seen ADD COLUMN settled BIGINT NOT NULL DEFAULT 1;',
  `CREATE TABLE letters (
     number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at BIGINT NOT NULL, sent BIGINT, ask TEXT, body TEXT NOT NULL
   );
   CREATE INDEX letters_at ON letters (at);
   CREATE TABLE locks (thing TEXT PRIMARY KEY, at BIGINT NOT NULL, operation TEXT, body TEXT NOT NULL);
   CREATE TABLE plans (
     id TEXT PRIMARY KEY, line TEXT NOT NULL, approval TEXT NOT NULL, at BIGINT NOT NULL, expires BIGINT NOT NULL,
     channel TEXT NOT NULL, used BIGINT, used_by TEXT, message TEXT, stood BIGINT NOT NULL DEFAULT 0, body TEXT NOT NULL
   );
   CREATE INDEX plans_at ON plans (at);
   CREATE TABLE operations (
     id TEXT PRIMARY KEY, target TEXT NOT NULL, capped BIGINT NOT NULL, state TEXT NOT NULL, at BIGINT NOT NULL,
     body TEXT NOT NULL
   );
   CREATE INDEX operations_at ON operations (at);
   CREATE TABLE grants (person TEXT PRIMARY KEY, at BIGINT NOT NULL, body TEXT NOT NULL);
   CREATE TABLE pages (id TEXT PRIMARY KEY, at BIGINT NOT NULL, expires BIGINT NOT NULL, body TEXT NOT NULL);
   CREATE INDEX pages_expires ON pages (expires);
   CREATE TABLE notes (id TEXT PRIMARY KEY, body TEXT NOT NULL);
   ALTER TABLE buttons ADD COLUMN used BIGINT;
   ALTER TABLE seen ADD COLUMN ask TEXT;`,
]

/** The newest schema that this program knows. */
export const KNOWN_VERSION = MIGRATIONS.length

/** The schema of an open database: 0 for an empty one, null for one that another program made. */
export function schemaVersion(db: DatabaseSync): number | null {
  const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
  if (tables.length === 0) return 0
  if (!tables.some((table) => table['name'] === 'schema_version')) return null
  const version = db.prepare('SELECT max(version) AS version FROM schema_version').get()?.['version']
  return typeof version === 'number' ? version : null
}

/** Brings a database from its version to ours, each step whole or not at all. */
export function migrate(db: DatabaseSync, from: number): void {
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < from) continue
    db.exec(`BEGIN IMMEDIATE; ${sql} INSERT INTO schema_version (version) VALUES (${index + 1}); COMMIT`)
  }
}
