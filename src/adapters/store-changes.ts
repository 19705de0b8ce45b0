import type { Lock, Locks, Thing } from '../domain/lock.ts'
import type { Operation, Operations } from '../domain/operation.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { KeptPlan, OpenPlan, PlacedPlan, Plans, User } from '../domain/plan.ts'
import type { Grant, Grants } from '../domain/role.ts'
import { isGrant, isLock, isOpenPlan, isOperation, isOwner } from './store-change-rows.ts'
import { isText, readJson } from './store-guards.ts'
import type { Reader, Statements } from './store-statements.ts'
import { json, nothing } from './store-statements.ts'

/** All that a change needs to outlive a crash: who may, what was planned, who holds what, and what was begun. */
export function changes(sql: Statements): Plans & Locks & Operations & Grants {
  return { ...plans(sql), ...locks(sql), ...operations(sql), ...grants(sql) }
}

/** More plans than this do not wait for a press at once. */
const MOST_EXPIRED = 100

function plans(sql: Statements): Plans {
  const plan: Reader<OpenPlan> = { what: 'a plan', read: (row) => readJson(row['body'], isOpenPlan) }
  const kept: Reader<KeptPlan> = { what: 'a plan', read: readKept }
  const placed: Reader<PlacedPlan> = { what: 'a plan', read: readPlaced }
  const user: Reader<User> = { what: 'a plan', read: (row) => readJson(row['used_by'], isOwner) }
  const add = 'INSERT INTO plans (id, line, approval, at, expires, channel, body) VALUES (?, ?, ?, ?, ?, ?, ?)'
  const use = 'UPDATE plans SET used = ?, used_by = ? WHERE id = ? AND used IS NULL'
  const refuse = 'UPDATE plans SET used = ?, used_by = coalesce(used_by, ?) WHERE id = ?'
  // by either time, since the clock may have been set back between them
  const lonely = `SELECT body FROM plans AS asked
    WHERE line = ? AND approval = 'second' AND used IS NULL AND stood = 1 AND channel = ? AND NOT EXISTS
      (SELECT 1 FROM plans AS other WHERE other.line = asked.line AND other.approval = 'second'
        AND other.used IS NOT NULL AND (other.used >= asked.at OR other.at >= asked.at))
    ORDER BY at DESC LIMIT 1`
  const expired = `SELECT body, used, used_by, message FROM plans
    WHERE coalesce(used, expires) < ? AND message IS NOT NULL ORDER BY at LIMIT ?`
  return {
    addPlan: async (given) => {
      const { id, line, approval, at, expires, place } = given
      const columns = [json(id), json(line), approval, at, expires, json(place.channel)]
      return nothing(await sql.run(add, ...columns, json(given)))
    },
    placePlan: async (id, message) => {
      const place = 'UPDATE plans SET message = ?, stood = 1 WHERE id = ?'
      if (message !== null) return nothing(await sql.run(place, json(message), json(id)))
      return nothing(await sql.run('UPDATE plans SET message = NULL WHERE id = ?', json(id)))
    },
    expiredPlans: (before) => sql.all(placed, expired, before, MOST_EXPIRED),
    plan: (id) => sql.one(kept, 'SELECT body, used_by FROM plans WHERE id = ?', json(id)),
    async usePlan(id, by, at) {
      const used = await sql.run(use, at, json(by), json(id))
      if (!used.ok) return failed(used.failure)
      return used.value === 1 ? ok(null) : sql.one(user, 'SELECT used_by FROM plans WHERE id = ?', json(id))
    },
    async refusePlan(id, by, at) {
      const refused = await sql.run(refuse, at, json(by), json(id))
      return refused.ok ? ok(refused.value === 1) : failed(refused.failure)
    },
    unanswered: (line, channel) => sql.one(plan, lonely, json(line), json(channel)),
  }
}

function readKept(row: Parameters<Reader<KeptPlan>['read']>[0]): KeptPlan | undefined {
  const body = readJson(row['body'], isOpenPlan)
  const usedBy = row['used_by'] === null ? null : readJson(row['used_by'], isOwner)
  return body === undefined || usedBy === undefined ? undefined : { ...body, usedBy }
}

function readPlaced(row: Parameters<Reader<PlacedPlan>['read']>[0]): PlacedPlan | undefined {
  const kept = readKept(row)
  const message = readJson(row['message'], isText)
  const usedAt = row['used'] === null ? null : Number(row['used'])
  return kept === undefined || message === undefined ? undefined : { ...kept, message, usedAt }
}

/** A person's lock and a change's own stand beside each other. */
function keyOf({ kind, name }: Thing, operation: string | null): string {
  return json([kind, name, operation === null ? 'kept' : 'run'])
}

function locks(sql: Statements): Locks {
  const lock: Reader<Lock> = { what: 'a lock', read: (row) => readJson(row['body'], isLock) }
  const take = 'INSERT INTO locks (thing, at, operation, body) VALUES (?, ?, ?, ?) ON CONFLICT (thing) DO NOTHING'
  const drop = 'DELETE FROM locks WHERE thing = ? AND operation IS NOT DISTINCT FROM ? RETURNING body'
  return {
    async takeLock(given) {
      const { on, at, operation } = given
      const key = keyOf(on, operation)
      const taken = await sql.run(take, key, at, operation === null ? null : json(operation), json(given))
      if (!taken.ok) return failed(taken.failure)
      return taken.value === 1 ? ok(null) : sql.one(lock, 'SELECT body FROM locks WHERE thing = ?', key)
    },
    dropLock: (on, operation) => sql.one(lock, drop, keyOf(on, operation), operation === null ? null : json(operation)),
    locks: () => sql.all(lock, 'SELECT body FROM locks ORDER BY at, thing'),
  }
}

/** More changes than this are never under way. */
const MOST_OPEN = 100

function operations(sql: Statements): Operations {
  const operation: Reader<Operation> = { what: 'an operation', read: readOperation }
  const add = 'INSERT INTO operations (id, target, capped, state, at, body) VALUES (?, ?, ?, ?, ?, ?)'
  const open = `SELECT state, body FROM operations WHERE state = 'issuing' ORDER BY at LIMIT ?`
  const since = `SELECT state, body FROM operations WHERE at >= ? AND capped = 1 AND state <> 'failed' ORDER BY at`
  return {
    addOperation: async (given) => {
      const { id, target, capped, state, at } = given
      return nothing(await sql.run(add, json(id), json(target), capped ? 1 : 0, state, at, json(given)))
    },
    endOperation: async (id, state) =>
      nothing(await sql.run('UPDATE operations SET state = ? WHERE id = ?', state, json(id))),
    openOperations: () => sql.all(operation, open, MOST_OPEN),
    async restartsSince(of, at) {
      const all = await sql.all(operation, since, at)
      return all.ok ? ok(all.value.filter((one) => isOfOneUnit(one, of))) : failed(all.failure)
    },
  }
}

type Acted = Pick<Operation, 'target' | 'host' | 'unit'>

/** Whatever the target was called when it was restarted. */
function isOfOneUnit(one: Acted, other: Acted): boolean {
  return one.target === other.target || (one.unit !== null && one.unit === other.unit && one.host === other.host)
}

function readOperation(row: Parameters<Reader<Operation>['read']>[0]): Operation | undefined {
  const body = readJson(row['body'], isOperation)
  const read = body === undefined ? undefined : { ...body, state: row['state'] }
  return isOperation(read) ? read : undefined
}

function grants(sql: Statements): Grants {
  const grant: Reader<Grant> = { what: 'a grant', read: (row) => readJson(row['body'], isGrant) }
  const personKey = ({ team, id }: Grant['person']): string => json([team, id])
  const add = `INSERT INTO grants (person, at, body) VALUES (?, ?, ?)
    ON CONFLICT (person) DO UPDATE SET at = excluded.at, body = excluded.body`
  return {
    addGrant: async (given) => nothing(await sql.run(add, personKey(given.person), given.at, json(given))),
    dropGrant: (person) => sql.one(grant, 'DELETE FROM grants WHERE person = ? RETURNING body', personKey(person)),
    grants: () => sql.all(grant, 'SELECT body FROM grants ORDER BY at, person LIMIT 1000'),
  }
}
