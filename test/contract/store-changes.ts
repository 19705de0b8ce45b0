import { expect } from 'vitest'
import type { Lock } from '../../src/domain/lock.ts'
import type { Operation } from '../../src/domain/operation.ts'
import type { OpenPlan } from '../../src/domain/plan.ts'
import type { Grant } from '../../src/domain/role.ts'
import type { Store } from '../../src/domain/store.ts'
import { THREAD } from './store-samples.ts'
import { failureKind, value } from './value.ts'

const ANN = { team: 'T1', id: 'U1', name: 'ann' }
const BOB = { team: 'T1', id: 'U2', name: 'bob' }

/** A plan that waits for a second person. */
export function plan(given: Partial<OpenPlan> = {}): OpenPlan {
  return {
    id: 'p1',
    line: 'sglang restart --target qwen',
    terms: { reason: 'new weights', force: false, breakGlass: false },
    target: 'qwen',
    title: 'Restart qwen',
    person: ANN,
    place: THREAD,
    seen: '12.active-0',
    seenInWords: 'active, generation 12',
    on: [{ kind: 'target', name: 'qwen' }],
    ...{ host: 'gpu1', unit: 'qwen' },
    approval: 'second',
    at: 5,
    expires: 65,
    ...given,
  }
}

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
  'gives a plan back as it was, and lets exactly one of many use it, whose name the others get': async (store) => {
    value(await store.addPlan(plan()))
    expect(value(await store.plan('p1'))).toEqual({ ...plan(), usedBy: null })
    expect(value(await store.plan('other'))).toBeNull()
    const users = [ANN, BOB, ANN, BOB].map((by) => store.usePlan('p1', by, 9))
    expect((await Promise.all(users)).map(value)).toEqual([null, ANN, ANN, ANN])
    expect(value(await store.plan('p1'))).toEqual({ ...plan(), usedBy: ANN })
    expect(failureKind(await store.addPlan(plan()))).toBe('store')
  },

  'tells the newest approval of a line that nobody answered, until somebody answers it': async (store) => {
    const { line } = plan()
    const placed = async (one: OpenPlan) => {
      value(await store.addPlan(one))
      value(await store.placePlan(one.id, '1.1'))
    }
    expect(value(await store.unanswered(line, THREAD.channel))).toBeNull()
    for (const [id, at] of [
      ['old', 1],
      ['new', 3],
      ['middle', 2],
    ] as const)
      await placed(plan({ id, at }))
    await placed(plan({ id: 'own', approval: 'own', at: 4 }))
    await placed(plan({ id: 'else', line: 'sglang restart --target llama', at: 5 }))
    await placed(plan({ id: 'elsewhere', place: { channel: 'C9', thread: null }, at: 5 }))
    // nobody saw this one
    value(await store.addPlan(plan({ id: 'nowhere', at: 5 })))
    value(await store.placePlan('nowhere', null))
    expect(value(await store.unanswered(line, THREAD.channel))?.id).toBe('new')
    // its buttons went when its time was over; it was asked all the same
    value(await store.placePlan('new', null))
    expect(value(await store.unanswered(line, THREAD.channel))?.id).toBe('new')
    expect(value(await store.unanswered(line, 'C9'))?.id).toBe('elsewhere')
    value(await store.usePlan('new', BOB, 6))
    // a no to the newest is a no; the ones before do not count again
    expect(value(await store.unanswered(line, THREAD.channel))).toBeNull()
    expect(value(await store.unanswered(line, 'C9'))?.id).toBe('elsewhere')
    // also where it was said in another channel
    value(await store.addPlan(plan({ id: 'no', at: 7 })))
    value(await store.usePlan('no', BOB, 8))
    expect(value(await store.unanswered(line, 'C9'))).toBeNull()
  },

  'tells the plans whose time is over and whose buttons stand, until those are gone': async (store) => {
    for (const [id, expires] of [
      ['late', 100],
      ['over', 60],
      ['used', 60],
      ['nowhere', 60],
      ['gone', 60],
      ['ended', 60],
    ] as const) {
      value(await store.addPlan(plan({ id, expires })))
      if (id !== 'nowhere') value(await store.placePlan(id, `${id}.1`))
    }
    value(await store.usePlan('used', ANN, 59))
    // in another message than its own, which still has buttons
    value(await store.usePlan('ended', BOB, 60))
    value(await store.placePlan('gone', null))
    const expired = async (before: number) =>
      value(await store.expiredPlans(before)).map(({ id, message }) => [id, message])
    expect(await expired(60)).toEqual([])
    expect(await expired(61)).toEqual([
      ['over', 'over.1'],
      ['ended', 'ended.1'],
    ])
    expect(value(await store.expiredPlans(61)).map(({ usedBy }) => usedBy)).toEqual([null, BOB])
    expect(await expired(101)).toHaveLength(3)
    value(await store.placePlan('ended', null))
    // told of: its buttons are gone, and still nobody used it
    value(await store.placePlan('over', null))
    expect(await expired(61)).toEqual([])
    expect(value(await store.plan('over'))).toEqual({ ...plan({ id: 'over', expires: 60 }), usedBy: null })
  },

  'gives at most 100 expired plans at once, oldest first': async (store) => {
    for (let n = 0; n < 103; n++) {
      value(await store.addPlan(plan({ id: `p${n}`, at: 200 - n })))
      value(await store.placePlan(`p${n}`, `${n}.1`))
    }
    const ids = value(await store.expiredPlans(1000)).map(({ id }) => id)
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, 'p102', 'p3'])
  },

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
    value(await store.prune({ attempts: 20, prompts: 20, buttons: 20, keys: 20, asks: 0, letters: 0 }))
    expect(value(await store.plan('p1'))).toBeNull()
    expect(value(await store.plan('placed and used'))).toBeNull()
    // its buttons still stand, so somebody has to be told first
    expect(value(await store.plan('placed'))?.id).toBe('placed')
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
    plan: plan({ ...words, line: text, terms, title: text, seen: text, seenInWords: text }),
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
    { ...given.plan, usedBy: null, message: text },
  ])
  expect(value(await store.usePlan(text, given.person, 9))).toBeNull()
  expect(value(await store.usePlan(text, ANN, 9))).toEqual(given.person)
  expect(value(await store.locks())).toEqual([given.lock])
  expect(value(await store.openOperations())).toEqual([given.operation])
  expect(value(await store.restartsSince(given.operation, 0))).toEqual([given.operation])
  expect(value(await store.grants())).toEqual([given.grant])
  expect(value(await store.dropLock(given.lock.on, text))).toEqual(given.lock)
  expect(value(await store.dropGrant(given.grant.person))).toEqual(given.grant)
}
