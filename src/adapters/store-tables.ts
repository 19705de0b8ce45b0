import type { Place } from '../domain/ask.ts'
import type { Attempt } from '../domain/attempt.ts'
import type { Inbox, OpenAsk } from '../domain/open-ask.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Audit, Button, OpenRun, Store } from '../domain/store.ts'
import { changes } from './store-changes.ts'
import { isText, readJson } from './store-guards.ts'
import { letters, notes, pages } from './store-letters.ts'
import { prune } from './store-prune.ts'
import type { AttemptBody } from './store-rows.ts'
import { isAttemptBody, isAudit, isButton, isKept, isOpenAsk, isOpenRun } from './store-rows.ts'
import type { Reader, Statements } from './store-statements.ts'
import { json, nothing } from './store-statements.ts'

/** The store in statements: what a driver of another database shares with this one. `close` is the driver's. */
export function tablesOf(sql: Statements, redact: (text: string) => string): Omit<Store, 'close'> {
  const kept = attempts(sql, redact)
  return {
    ...threads(sql),
    ...kept,
    ...buttons(sql),
    ...inbox(sql),
    ...runs(sql),
    ...audits(sql),
    ...changes(sql),
    ...letters(sql),
    ...notes(sql),
    ...pages(sql),
    prune: (before) => prune(sql, before),
  }
}

const placeKey = (place: Place): string => json([place.channel, place.thread])

function threads(sql: Statements): Pick<Store, 'bindThread' | 'threadTarget'> {
  const target: Reader<string> = { what: 'a thread', read: (row) => readJson(row['target'], isText) }
  const bind = `INSERT INTO threads (place, target, at) VALUES (?, ?, ?)
    ON CONFLICT (place) DO UPDATE SET target = excluded.target, at = excluded.at`
  return {
    bindThread: async (place, name, at) => nothing(await sql.run(bind, placeKey(place), json(name), at)),
    threadTarget: (place) => sql.one(target, 'SELECT target FROM threads WHERE place = ?', placeKey(place)),
  }
}

function attempts(
  sql: Statements,
  redact: (text: string) => string,
): Pick<Store, 'addAttempt' | 'attempt' | 'lastAttempt' | 'numberedAttempt' | 'attemptTargets'> {
  const attempt: Reader<Attempt> = { what: 'an attempt', read: readAttempt }
  const number: Reader<number> = { what: 'an attempt', read: (row) => Number(row['number']) }
  const target: Reader<string> = { what: 'an attempt', read: (row) => readJson(row['target'], isText) }
  const lastOn = `SELECT * FROM attempts WHERE place = ? AND body -> '$.target' = ? ORDER BY number DESC LIMIT 1`
  const targets = `SELECT DISTINCT body -> '$.target' AS target FROM attempts WHERE place = ? ORDER BY 1 LIMIT 200`
  // one statement, so that two attempts of a thread never get the same number
  const add = `INSERT INTO attempts (id, place, number, at, body, kept)
    SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ? FROM attempts WHERE place = ? RETURNING number`
  return {
    async addAttempt(given) {
      const { smoke, diagnosis, ...rest } = given
      const body: AttemptBody = rest
      const place = placeKey(given.place)
      // prompts, answers and what servers say may hold secrets; none goes to disk
      const clean = (_: string, value: unknown): unknown => (typeof value === 'string' ? redact(value) : value)
      const kept = smoke === null && diagnosis === null ? null : JSON.stringify({ smoke, diagnosis }, clean)
      const added = await sql.one(number, add, json(given.id), place, given.at, json(body), kept, place)
      return added.ok ? ok({ ...given, number: added.value ?? 1 }) : failed(added.failure)
    },
    attempt: (id) => sql.one(attempt, 'SELECT * FROM attempts WHERE id = ?', json(id)),
    lastAttempt: (place, target) =>
      target === null
        ? sql.one(attempt, 'SELECT * FROM attempts WHERE place = ? ORDER BY number DESC LIMIT 1', placeKey(place))
        : sql.one(attempt, lastOn, placeKey(place), json(target)),
    numberedAttempt: (place, number) =>
      sql.one(attempt, 'SELECT * FROM attempts WHERE place = ? AND number = ?', placeKey(place), number),
    attemptTargets: (place) => sql.all(target, targets, placeKey(place)),
  }
}

const NOTHING_KEPT = { smoke: null, diagnosis: null }

function readAttempt(row: Parameters<Reader<Attempt>['read']>[0]): Attempt | undefined {
  const body = readJson(row['body'], isAttemptBody)
  const kept = row['kept'] === null ? NOTHING_KEPT : readJson(row['kept'], isKept)
  if (body === undefined || kept === undefined) return undefined
  return { ...body, ...kept, number: Number(row['number']) }
}

function buttons(sql: Statements): Pick<Store, 'addButton' | 'button' | 'useButton'> {
  const button: Reader<Button> = { what: 'a button', read: (row) => readJson(row['body'], isButton) }
  const add = 'INSERT INTO buttons (id, expires, body) VALUES (?, ?, ?)'
  return {
    addButton: async (given) => nothing(await sql.run(add, json(given.id), given.expires, json(given))),
    button: (id) => sql.one(button, 'SELECT body FROM buttons WHERE id = ?', json(id)),
    async useButton(id, at) {
      const used = await sql.run('UPDATE buttons SET used = ? WHERE id = ? AND used IS NULL', at, json(id))
      return used.ok ? ok(used.value === 1) : failed(used.failure)
    },
  }
}

/** More asks than this are never open. */
const MOST_ASKS = 1000

/** Slack waits for the acknowledgement that comes after a claim. */
function inbox(sql: Statements): Inbox {
  const openAsk: Reader<OpenAsk> = { what: 'an ask', read: (row) => readJson(row['ask'], isOpenAsk) }
  const see = 'INSERT INTO seen (id, at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING'
  const open = 'SELECT ask FROM seen WHERE settled = 0 AND ask IS NOT NULL GROUP BY ask ORDER BY min(at), ask LIMIT ?'
  const marks = (keys: readonly string[]): string => keys.map(() => '?').join(', ')
  return {
    async firstTime(key, at) {
      const added = await sql.run(see, json(key), at)
      return added.ok ? ok(added.value === 1) : failed(added.failure)
    },
    async claim(wanted, at, ask = null) {
      const rows = wanted.map(() => 'SELECT ? AS id').join(' UNION ALL ')
      // one statement, so that of two claims at the same time one finds the other's keys; where one is known none is written
      const claim = `INSERT INTO seen (id, at, settled, ask) SELECT id, ?, 0, ? FROM (${rows}) AS wanted
        WHERE NOT EXISTS (SELECT 1 FROM seen WHERE id IN (${marks(wanted)}))`
      const [keys, kept] = [wanted.map(json), ask === null ? null : json(ask)]
      const added = await sql.soon(claim, at, kept, ...keys, ...keys)
      return added.ok ? ok(added.value > 0) : failed(added.failure)
    },
    async keepAsk(ask) {
      const keep = `UPDATE seen SET ask = ? WHERE settled = 0 AND id IN (${marks(ask.keys)})`
      return nothing(await sql.soon(keep, json(ask), ...ask.keys.map(json)))
    },
    async settle(claimed) {
      const settle = `UPDATE seen SET settled = 1, ask = NULL WHERE id IN (${marks(claimed)})`
      return nothing(await sql.soon(settle, ...claimed.map(json)))
    },
    openAsks: () => sql.all(openAsk, open, MOST_ASKS),
  }
}

/** More runs than this are never under way. */
const MOST_RUNS = 100

function runs(sql: Statements): Pick<Store, 'addRun' | 'dropRun' | 'openRuns'> {
  const run: Reader<OpenRun> = { what: 'a run', read: (row) => readJson(row['body'], isOpenRun) }
  const add = `INSERT INTO runs (id, at, body) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET at = excluded.at, body = excluded.body`
  return {
    addRun: async (given) => nothing(await sql.run(add, json(given.id), given.at, json(given))),
    dropRun: async (id) => nothing(await sql.run('DELETE FROM runs WHERE id = ?', json(id))),
    openRuns: () => sql.all(run, 'SELECT body FROM runs ORDER BY at LIMIT ?', MOST_RUNS),
  }
}

/** At most this many audit entries are read at once. */
const MOST_AUDITS = 1000

function audits(sql: Statements): Pick<Store, 'addAudit' | 'audits'> {
  const audit: Reader<Audit> = { what: 'an audit entry', read: (row) => readJson(row['body'], isAudit) }
  const newest = 'SELECT body FROM audits ORDER BY number DESC LIMIT ?'
  return {
    addAudit: async (entry) => nothing(await sql.run('INSERT INTO audits (body) VALUES (?)', json(entry))),
    audits: (limit) => sql.all(audit, newest, Math.min(Math.max(Math.trunc(limit), 0), MOST_AUDITS)),
  }
}
