import { expect } from 'vitest'
import type { Lock } from '../../src/domain/lock.ts'
import type { Operation } from '../../src/domain/operation.ts'
import type { Grant } from '../../src/domain/role.ts'
import type { Store } from '../../src/domain/store.ts'
import { ANN, BOB, PLANS, plan } from './store-plans.ts'
import { THREAD } from './store-samples.ts'
import { failureKind, value } from './value.ts'

function lock(given: Partial<Lock> = {}): Lock {
  return {
    on: { kind: 'target', name: 'qwen' },
    owner: ANN,
    reason: 'mine',
    channel: 'C0GPU',
    at: 5,
    operation: null,
    ...given,
  }
}

export function operation(given: Partial<Operation> = {}): Operation {
  return {
    ...{ id: 'o1', command: 'sglang restart', target: 'qwen', host: 'gpu1', unit: 'qwen', person: ANN, approver: BOB },
    ...{ place: THREAD, message: '1.1', capped: true, forced: false, reason: null, at: 5, state: 'issuing' },
    ...given,
  }
}

function grant(given: Partial<Grant> = {}): Grant {
  return { person: { team: 'T1', id: 'U1' }, role: 'operator', by: 'code', at: 5, ...given }
}

/** What every store must do for changes. */
export const CHANGES: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  ...PLANS,

  'gives a lock to the first of many, and a change’s own lock stands beside a person’s': async (store) => {
    const [kept, running] = [lock(), lock({ operation: 'o1', reason: 'Restart qwen', at: 6 })]
    const host = lock({ on: { kind: 'host', name: 'qwen' }, at: 7 })
    const taken = await Promise.all(
      [kept, lock({ owner: BOB }), running, lock({ operation: 'o2' })].map(store.takeLock),
    )
    expect(taken.map(value)).toEqual([null, kept, null, running])
    expect(value(await store.takeLock(host))).toBeNull()
    expect(value(await store.locks())).toEqual([kept, running, host])
    expect(value(await store.dropLock(kept.on, 'o2'))).toBeNull()
    expect(value(await store.dropLock(kept.on, 'o1'))).toEqual(running)
    expect(value(await store.dropLock(kept.on, null))).toEqual(kept)
    expect(value(await store.dropLock(kept.on, null))).toBeNull()
    expect(value(await store.locks())).toEqual([host])
  },

  'lists the changes whose end was never written, and counts those that may have had an effect': async (store) => {
    const ends = [
      ['a', 'done'],
      ['b', 'failed'],
      ['c', 'unknown'],
      ['d', null],
    ] as const
    for (const [n, [id, end]] of ends.entries()) {
      value(await store.addOperation(operation({ id, at: 10 + n })))
      if (end !== null) value(await store.endOperation(id, end))
    }
    value(await store.addOperation(operation({ id: 'e', capped: false, at: 20 })))
    value(await store.addOperation(operation({ id: 'f', target: 'llama', unit: 'llama', at: 21 })))
    expect(value(await store.openOperations())).toEqual([
      operation({ id: 'd', at: 13 }),
      operation({ id: 'e', capped: false, at: 20 }),
      operation({ id: 'f', target: 'llama', unit: 'llama', at: 21 }),
    ])
    const since = async (at: number) =>
      value(await store.restartsSince({ target: 'qwen', host: 'gpu1', unit: 'qwen' }, at)).map(({ id, state }) => [
        id,
        state,
      ])
    expect(await since(10)).toEqual([
      ['a', 'done'],
      ['c', 'unknown'],
      ['d', 'issuing'],
    ])
    expect(await since(12)).toEqual([
      ['c', 'unknown'],
      ['d', 'issuing'],
    ])
    expect(await since(14)).toEqual([])
    // the same unit by another name, and the same name on no unit
    const ids = async (of: Parameters<Store['restartsSince']>[0]) =>
      value(await store.restartsSince(of, 14)).map(({ id }) => id)
    value(await store.addOperation(operation({ id: 'g', target: 'qwen-lora', at: 22 })))
    value(await store.addOperation(operation({ id: 'h', target: 'bare', host: null, unit: null, at: 23 })))
    expect(await ids({ target: 'qwen', host: 'gpu1', unit: 'qwen' })).toEqual(['g'])
    expect(await ids({ target: 'qwen', host: 'gpu2', unit: 'qwen' })).toEqual([])
    expect(await ids({ target: 'none', host: null, unit: null })).toEqual([])
    expect(await ids({ target: 'bare', host: null, unit: null })).toEqual(['h'])
    expect(failureKind(await store.addOperation(operation({ id: 'a' })))).toBe('store')
  },

  'keeps one grant of each person, the later one': async (store) => {
    value(await store.addGrant(grant()))
    value(await store.addGrant(grant({ person: { team: 'T2', id: 'U1' }, at: 6 })))
    value(await store.addGrant(grant({ role: 'admin', by: 'T1:U9', at: 7 })))
    expect(value(await store.grants())).toEqual([
      grant({ person: { team: 'T2', id: 'U1' }, at: 6 }),
      grant({ role: 'admin', by: 'T1:U9', at: 7 }),
    ])
    expect(value(await store.dropGrant({ team: 'T1', id: 'U1' }))?.role).toBe('admin')
    expect(value(await store.dropGrant({ team: 'T1', id: 'U1' }))).toBeNull()
    expect(value(await store.grants())).toHaveLength(1)
  },

  'forgets old plans and ended changes, and neither a lock, a grant nor a change that is open': async (store) => {
    for (const id of ['p1', 'p2']) value(await store.addPlan(plan({ id, at: id === 'p1' ? 10 : 20 })))
    for (const id of ['open', 'ended']) value(await store.addOperation(operation({ id, at: 10 })))
    value(await store.endOperation('ended', 'done'))
    value(await store.takeLock(lock()))
    value(await store.addGrant(grant()))
    for (const id of ['placed', 'placed and used']) {
      value(await store.addPlan(plan({ id, at: 10 })))
      value(await store.placePlan(id, '1.1'))
    }
    value(await store.usePlan('placed and used', ANN, 11))
    value(await store.addPlan(plan({ id: 'used late', at: 10 })))
    value(await store.usePlan('used late', ANN, 20))
    value(await store.addPlan(plan({ id: 'used', at: 10 })))
    value(await store.usePlan('used', ANN, 11))
    value(await store.prune({ attempts: 20, prompts: 20, buttons: 20, keys: 20, asks: 0, letters: 0 }))
    expect(value(await store.plan('p1'))).toBeNull()
    expect(value(await store.plan('used'))).toBeNull()
    // the buttons still stand, so somebody has to be told first
    for (const id of ['placed', 'placed and used']) expect(value(await store.plan(id))?.id).toBe(id)
    // a late no is no older than one in time
    expect(value(await store.plan('used late'))?.id).toBe('used late')
    expect(value(await store.plan('p2'))?.id).toBe('p2')
    expect(
      value(await store.restartsSince({ target: 'qwen', host: 'gpu1', unit: 'qwen' }, 0)).map(({ id }) => id),
    ).toEqual(['open'])
    expect(value(await store.locks())).toHaveLength(1)
    expect(value(await store.grants())).toHaveLength(1)
  },
}

/** Everything of a change with the same text in each field that takes one. */
function samples(text: string) {
  const person = { team: text, id: text, name: text }
  const place = { channel: text, thread: text }
  const terms = { reason: text, force: true, breakGlass: true }
  const words = { id: text, target: text, person, place }
  const on = { kind: 'host', name: text } as const
  return {
    plan: plan({ ...words, line: text, terms, title: text, seen: text, seenInWords: text, silence: text }),
    lock: lock({ on, owner: person, reason: text, channel: text, operation: text }),
    operation: operation({
      ...words,
      command: text,
      host: text,
      unit: text,
      approver: person,
      message: text,
      reason: text,
    }),
    grant: grant({ person: { team: text, id: text }, by: text }),
    person,
  }
}

/** Writes it. */
export async function writeChanges(store: Store, text: string): Promise<void> {
  const given = samples(text)
  value(await store.addPlan(given.plan))
  value(await store.placePlan(given.plan.id, text))
  value(await store.takeLock(given.lock))
  value(await store.addOperation(given.operation))
  value(await store.addGrant(given.grant))
}

/** Reads it, and ends it. */
export async function readChanges(store: Store, text: string): Promise<void> {
  const given = samples(text)
  expect(value(await store.plan(text))).toEqual({ ...given.plan, usedBy: null })
  expect(value(await store.unanswered(text, text))).toEqual(given.plan)
  expect(value(await store.expiredPlans(given.plan.expires + 1))).toEqual([
    { ...given.plan, usedBy: null, usedAt: null, message: text },
  ])
  expect(value(await store.usePlan(text, given.person, 9))).toBeNull()
  expect(value(await store.usePlan(text, ANN, 9))).toEqual(given.person)
  value(await store.placePlan(text, null))
  expect(value(await store.locks())).toEqual([given.lock])
  expect(value(await store.openOperations())).toEqual([given.operation])
  expect(value(await store.restartsSince(given.operation, 0))).toEqual([given.operation])
  expect(value(await store.grants())).toEqual([given.grant])
  expect(value(await store.dropLock(given.lock.on, text))).toEqual(given.lock)
  expect(value(await store.dropGrant(given.grant.person))).toEqual(given.grant)
}
