import { expect } from 'vitest'
import type { OpenAsk } from '../../src/domain/open-ask.ts'
import type { Store } from '../../src/domain/store.ts'
import { THREAD } from './store-samples.ts'
import { value } from './value.ts'

export function openAsk(given: Partial<OpenAsk> = {}): OpenAsk {
  return {
    id: 'slash:1',
    keys: ['slash:1', 'envelope:1'],
    how: 'slash',
    user: 'U1',
    to: THREAD,
    at: 5,
    ...given,
  }
}

/** What every store must do for asks that are not answered yet. */
export const INBOX: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  'keeps an ask with the claim of its keys, until it is settled': async (store) => {
    expect(value(await store.openAsks())).toEqual([])
    const [first, later] = [openAsk(), openAsk({ id: 'p', keys: ['p'], how: 'button', at: 4 })]
    expect(value(await store.claim(first.keys, 5, first))).toBe(true)
    expect(value(await store.claim(later.keys, 6, later))).toBe(true)
    expect(value(await store.openAsks())).toEqual([first, later])
    value(await store.settle(first.keys))
    expect(value(await store.openAsks())).toEqual([later])
    expect(value(await store.claim(['envelope:1'], 7))).toBe(false)
  },

  'writes nothing of a claim that comes second': async (store) => {
    const first = openAsk()
    value(await store.claim(first.keys, 5, first))
    value(await store.settle(first.keys))
    const again = openAsk({ id: 'slash:2', keys: ['slash:1', 'envelope:2'] })
    expect(value(await store.claim(again.keys, 6, again))).toBe(false)
    expect(value(await store.openAsks())).toEqual([])
    expect(value(await store.claim(['envelope:2'], 7))).toBe(true)
  },

  'keeps an ask that was claimed without, only where it is not settled': async (store) => {
    const [open, settled] = [openAsk(), openAsk({ id: 'done', keys: ['done'] })]
    value(await store.claim(open.keys, 5))
    value(await store.claim(settled.keys, 5))
    value(await store.settle(settled.keys))
    for (const ask of [open, settled, openAsk({ id: 'never', keys: ['never'] })]) value(await store.keepAsk(ask))
    expect(value(await store.openAsks())).toEqual([open])
  },

  'keeps the later form of an open ask': async (store) => {
    const ask = openAsk()
    value(await store.claim(ask.keys, 5, ask))
    value(await store.keepAsk({ ...ask, maybeTold: true }))
    expect(value(await store.openAsks())).toEqual([{ ...ask, maybeTold: true }])
  },

  'keeps an open ask longer than the keys of what is settled, and counts those that go': async (store) => {
    for (const at of [10, 20, 30]) {
      const ask = openAsk({ id: `open ${at}`, keys: [`open ${at}`, `envelope ${at}`], at })
      value(await store.claim(ask.keys, at, ask))
      value(await store.claim([`done ${at}`], at))
      value(await store.settle([`done ${at}`]))
    }
    const before = { attempts: 0, prompts: 0, buttons: 0, letters: 0 }
    expect(value(await store.prune({ ...before, keys: 40, asks: 20 }))).toMatchObject({ asks: 1 })
    expect(value(await store.openAsks()).map(({ at }) => at)).toEqual([20, 30])
    expect(value(await store.claim(['envelope 20'], 40))).toBe(false)
    expect(value(await store.claim(['done 30', 'envelope 10'], 40))).toBe(true)
  },
}
