import { setImmediate } from 'node:timers/promises'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Keeping, Pruned } from '../domain/store.ts'
import { isText } from './store-guards.ts'
import type { Reader, Statements } from './store-statements.ts'

/** Rows that one statement may drop, so that a large prune never holds up the bot. */
const STEP = 500

type Drop = readonly [statement: string, before: number]

/** Prompts and answers first; a thread stays bound as long as it has an attempt. */
export async function prune(sql: Statements, before: Keeping): Promise<Outcome<Pruned>> {
  const letters = await drop(sql, [
    `DELETE FROM letters WHERE number IN (SELECT number FROM letters WHERE at < ? LIMIT ${STEP})`,
    before.letters,
  ])
  if (!letters.ok) return failed(letters.failure)
  for (const one of dropsOf(before)) {
    const dropped = await drop(sql, one)
    if (!dropped.ok) return failed(dropped.failure)
  }
  const asks = await dropAsks(sql, before.asks)
  return asks.ok ? ok({ asks: asks.value, letters: letters.value }) : failed(asks.failure)
}

function dropsOf(before: Keeping): readonly Drop[] {
  return [
    [
      `UPDATE attempts SET kept = NULL WHERE id IN
        (SELECT id FROM attempts WHERE at < ? AND kept IS NOT NULL LIMIT ${STEP})`,
      before.prompts,
    ],
    [`DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE at < ? LIMIT ${STEP})`, before.prompts],
    // what works once holds words that somebody typed
    [
      `DELETE FROM buttons WHERE id IN
        (SELECT id FROM buttons WHERE body ->> '$.once' = 1 AND body ->> '$.at' < ? LIMIT ${STEP})`,
      before.prompts,
    ],
    [`DELETE FROM attempts WHERE id IN (SELECT id FROM attempts WHERE at < ? LIMIT ${STEP})`, before.attempts],
    [
      `DELETE FROM threads WHERE place IN
        (SELECT place FROM threads WHERE at < ? AND place NOT IN (SELECT place FROM attempts) LIMIT ${STEP})`,
      before.attempts,
    ],
    [`DELETE FROM buttons WHERE id IN (SELECT id FROM buttons WHERE expires < ? LIMIT ${STEP})`, before.buttons],
    [`DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE expires < ? LIMIT ${STEP})`, before.buttons],
    // one whose buttons still stand is told of first; a late no counts as long as one in time
    [
      `DELETE FROM plans WHERE id IN
        (SELECT id FROM plans WHERE coalesce(used, at) < ? AND message IS NULL LIMIT ${STEP})`,
      before.keys,
    ],
    [
      `DELETE FROM operations WHERE id IN
        (SELECT id FROM operations WHERE at < ? AND state <> 'issuing' LIMIT ${STEP})`,
      before.attempts,
    ],
    // whoever asked is told first
    [
      `DELETE FROM seen WHERE id IN
        (SELECT id FROM seen WHERE at < ? AND (settled = 1 OR ask IS NULL) LIMIT ${STEP})`,
      before.keys,
    ],
  ]
}

/** How many rows went, in steps between which others get their turn. */
async function drop(sql: Statements, [statement, before]: Drop): Promise<Outcome<number>> {
  let all = 0
  for (let dropped = STEP; dropped === STEP; await setImmediate()) {
    const run = await sql.run(statement, before)
    if (!run.ok) return failed(run.failure)
    dropped = run.value
    all += dropped
  }
  return ok(all)
}

/** How many asks went; each has a row for every one of its keys. They are never many. */
async function dropAsks(sql: Statements, before: number): Promise<Outcome<number>> {
  const ask: Reader<string> = { what: 'an ask', read: ({ ask: kept }) => (isText(kept) ? kept : undefined) }
  const dropped = await sql.all(
    ask,
    'DELETE FROM seen WHERE at < ? AND settled = 0 AND ask IS NOT NULL RETURNING ask',
    before,
  )
  return dropped.ok ? ok(new Set(dropped.value).size) : failed(dropped.failure)
}
