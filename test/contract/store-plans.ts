import { expect } from 'vitest'
import type { OpenPlan } from '../../src/domain/plan.ts'
import type { Store } from '../../src/domain/store.ts'
import { THREAD } from './store-samples.ts'
import { failureKind, value } from './value.ts'

export const ANN = { team: 'T1', id: 'U1', name: 'ann' }
export const BOB = { team: 'T1', id: 'U2', name: 'bob' }

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

/** What every store must do for plans. */
export const PLANS: Readonly<Record<string, (store: Store) => Promise<void>>> = {
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
    // before that one elsewhere was asked for
    value(await store.usePlan('new', BOB, 4))
    // a no to the newest is a no; the ones before do not count again
    expect(value(await store.unanswered(line, THREAD.channel))).toBeNull()
    expect(value(await store.unanswered(line, 'C9'))?.id).toBe('elsewhere')
    // also where it was said in another channel
    value(await store.addPlan(plan({ id: 'no', at: 7 })))
    value(await store.usePlan('no', BOB, 8))
    expect(value(await store.unanswered(line, 'C9'))).toBeNull()
  },

  'takes an answer to one approval as an answer to all that were asked for until then': async (store) => {
    const { line } = plan()
    const silent = async () => value(await store.unanswered(line, THREAD.channel))?.id
    const placed = async (one: OpenPlan) => {
      value(await store.addPlan(one))
      value(await store.placePlan(one.id, '1.1'))
    }
    await placed(plan({ id: 'old', at: 1, place: { channel: 'C9', thread: null } }))
    await placed(plan({ id: 'new', at: 5 }))
    await placed(plan({ id: 'own', approval: 'own', at: 2 }))
    value(await store.usePlan('own', ANN, 6))
    expect(await silent()).toBe('new')
    value(await store.usePlan('old', BOB, 4))
    // said before the newer one was asked for
    expect(await silent()).toBe('new')
    expect(value(await store.refusePlan('old', ANN, 5))).toBe(true)
    expect(await silent()).toBeUndefined()
    expect(value(await store.plan('old'))?.usedBy).toEqual(BOB)
    expect(value(await store.plan('new'))?.usedBy).toBeNull()
    await placed(plan({ id: 'newest', at: 6 }))
    expect(await silent()).toBe('newest')
    expect(value(await store.refusePlan('newest', ANN, 7))).toBe(true)
    expect(value(await store.usePlan('newest', BOB, 8))).toEqual(ANN)
    expect(value(await store.refusePlan('other', ANN, 9))).toBe(false)
    // the clock was set back between an approval and the no to it
    await placed(plan({ id: 'before', at: 20 }))
    await placed(plan({ id: 'later', at: 30 }))
    value(await store.usePlan('later', BOB, 10))
    expect(await silent()).toBeUndefined()
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
    // both in a moment after which nobody told it in the message
    value(await store.usePlan('used', ANN, 58))
    value(await store.usePlan('ended', BOB, 60))
    value(await store.placePlan('gone', null))
    const expired = async (before: number) =>
      value(await store.expiredPlans(before)).map(({ id, message }) => [id, message])
    expect(await expired(58)).toEqual([])
    expect(await expired(60)).toEqual([['used', 'used.1']])
    expect(await expired(61)).toEqual([
      ['over', 'over.1'],
      ['used', 'used.1'],
      ['ended', 'ended.1'],
    ])
    const uses = value(await store.expiredPlans(61)).map(({ usedBy, usedAt }) => [usedBy, usedAt])
    expect(uses).toEqual([
      [null, null],
      [ANN, 58],
      [BOB, 60],
    ])
    expect(await expired(101)).toHaveLength(4)
    for (const id of ['used', 'ended']) value(await store.placePlan(id, null))
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
}
