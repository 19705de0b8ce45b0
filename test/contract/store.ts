import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/domain/outcome.ts'
import type { Store } from '../../src/domain/store.ts'
import { CHANGES, readChanges, writeChanges } from './store-changes.ts'
import { INBOX, openAsk } from './store-inbox.ts'
import { LETTERS, letter, readLetters, writeLetters } from './store-letters.ts'
import { AUDIT, attempt, BUTTON, FAILED, HOSTILE, OTHER, THREAD } from './store-samples.ts'
import { failureKind, value } from './value.ts'

export { value } from './value.ts'

/** Where one store lives. `open` opens it again, with what it held before unless it lives in memory. */
export interface StoreHome {
  readonly durable: boolean
  open(): Promise<Outcome<Store>>
}

/** What every store must do. */
export function storeContract(name: string, makeHome: () => StoreHome): void {
  describe(`${name}: the store contract`, () => {
    const open = async () => value(await makeHome().open())
    test.each(Object.entries({ ...BEHAVIOURS, ...CHANGES, ...INBOX, ...LETTERS }))('%s', async (_does, check) => {
      const store = await open()
      await check(store)
      await store.close()
    })

    test.each(HOSTILE)('keeps %j everywhere', async (text) => {
      const store = await open()
      await keepsEverywhere(store, text)
      await store.close()
    })

    const home = makeHome()
    if (home.durable) test('holds what it held after it was opened again', () => survives(home))
  })
}

type Behaviour = (store: Store) => Promise<void>

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'knows nothing at first': async (store) => {
    expect(value(await store.threadTarget(THREAD))).toBeNull()
    expect(value(await store.attempt('a'))).toBeNull()
    expect(value(await store.lastAttempt(THREAD, null))).toBeNull()
    expect(value(await store.button('b'))).toBeNull()
    expect(value(await store.audits(10))).toEqual([])
  },

  'binds a thread, and a later call wins': async (store) => {
    await store.bindThread(THREAD, 'qwen', 1)
    await store.bindThread({ ...THREAD, thread: null }, 'other', 1)
    await store.bindThread(THREAD, 'llama', 2)
    expect(value(await store.threadTarget(THREAD))).toBe('llama')
    expect(value(await store.threadTarget({ ...THREAD, thread: null }))).toBe('other')
    expect(value(await store.threadTarget({ ...THREAD, channel: 'C2' }))).toBeNull()
  },

  'numbers the attempts of each thread from 1, also when they come at once': async (store) => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const added = await Promise.all(ids.map((id) => store.addAttempt(attempt({ id }))))
    expect(added.map((one) => value(one).number)).toEqual([1, 2, 3, 4, 5])
    expect(value(await store.addAttempt(attempt({ id: 'x', place: OTHER }))).number).toBe(1)
    expect(value(await store.lastAttempt(THREAD, null))).toEqual({ ...attempt({ id: 'e' }), number: 5 })
    expect(value(await store.lastAttempt(OTHER, null))?.id).toBe('x')
    expect(value(await store.numberedAttempt(THREAD, 3))).toEqual({ ...attempt({ id: 'c' }), number: 3 })
    expect(value(await store.numberedAttempt(THREAD, 6))).toBeNull()
  },

  'finds the last attempt of a thread on one target, and all targets of it': async (store) => {
    for (const [id, target] of Object.entries({ a: 'qwen', b: 'a "quoted" \u0000 name', c: 'llama', d: 'qwen' })) {
      await store.addAttempt(attempt({ id, target }))
    }
    await store.addAttempt(attempt({ id: 'x', place: OTHER, target: 'elsewhere' }))
    const last = async (target: string) => value(await store.lastAttempt(THREAD, target))?.id ?? null
    const odd = await last('a "quoted" \u0000 name')
    expect([await last('qwen'), await last('llama'), odd, await last('elsewhere')]).toEqual(['d', 'c', 'b', null])
    expect(value(await store.attemptTargets(THREAD))).toEqual(['a "quoted" \u0000 name', 'llama', 'qwen'])
    expect(value(await store.attemptTargets({ ...THREAD, thread: null }))).toEqual([])
  },

  'gives an attempt back as it was, filled or empty': async (store) => {
    for (const given of [
      attempt({ id: 'full' }),
      attempt({ id: 'empty', smoke: null, diagnosis: null, engine: null }),
      FAILED,
    ]) {
      const added = value(await store.addAttempt(given))
      expect(added).toEqual({ ...given, number: added.number })
      expect(value(await store.attempt(given.id))).toEqual(added)
    }
  },

  'notes what runs until it has ended, oldest first': async (store) => {
    const [early, late] = [
      { id: 'r2', place: THREAD, message: '1.1', target: 'qwen', at: 1 },
      { id: 'r1', place: OTHER, message: '1.2', target: null, at: 2 },
    ]
    expect(value(await store.openRuns())).toEqual([])
    await store.addRun(late)
    await store.addRun(early)
    expect(value(await store.openRuns())).toEqual([early, late])
    await store.dropRun('r2')
    await store.dropRun('never there')
    expect(value(await store.openRuns())).toEqual([late])
  },

  'refuses a second attempt and a second button of the same id, and keeps the first': async (store) => {
    await store.addAttempt(attempt({ id: 'a', by: 'ann' }))
    await store.addButton(BUTTON)
    expect(failureKind(await store.addAttempt(attempt({ id: 'a', by: 'bob' })))).toBe('store')
    expect(failureKind(await store.addButton({ ...BUTTON, line: 'help' }))).toBe('store')
    expect(value(await store.attempt('a'))?.by).toBe('ann')
    expect(value(await store.button(BUTTON.id))).toEqual(BUTTON)
  },

  'lets exactly one of many use a button, also long after': async (store) => {
    value(await store.addButton(BUTTON))
    const used = await Promise.all([1, 2, 3].map((at) => store.useButton(BUTTON.id, at)))
    expect(used.map(value)).toEqual([true, false, false])
    value(
      await store.prune({ attempts: 9, prompts: 0, buttons: 0, keys: Number.MAX_SAFE_INTEGER, asks: 0, letters: 0 }),
    )
    expect(value(await store.useButton(BUTTON.id, Number.MAX_SAFE_INTEGER))).toBe(false)
    expect(value(await store.useButton('none', 4))).toBe(false)
  },

  'tells the first time of a key from every other': async (store) => {
    const seen = await Promise.all(['k', 'k', 'other', 'k'].map((key) => store.firstTime(key, 1)))
    expect(seen.map(value)).toEqual([true, false, true, false])
  },

  'gives several keys at once to one claim alone, whichever of them the others know': async (store) => {
    const wanted = [
      ['e1', 't1'],
      ['e1', 't1'],
      ['e2', 't1'],
      ['e1', 't2'],
      ['e3', 't3'],
    ]
    const claimed = await Promise.all(wanted.map((keys) => store.claim(keys, 1)))
    expect(claimed.map(value)).toEqual([true, false, false, false, true])
    value(await store.settle(['e1', 't1']))
    expect(value(await store.claim(['t1'], 2))).toBe(false)
    expect(value(await store.firstTime('e3', 2))).toBe(false)
  },

  'lists audits newest first, never more than asked for': async (store) => {
    for (const result of ['1', '2', '3']) await store.addAudit({ ...AUDIT, result })
    expect(value(await store.audits(2))).toEqual([
      { ...AUDIT, result: '3' },
      { ...AUDIT, result: '2' },
    ])
    expect(value(await store.audits(0))).toEqual([])
    expect(value(await store.audits(-1))).toEqual([])
    expect(value(await store.audits(1e9))).toHaveLength(3)
  },

  'keeps hostile texts apart from one another': async (store) => {
    const seen = await Promise.all(HOSTILE.map((text) => store.firstTime(text, 1)))
    expect(seen.map(value)).toEqual(HOSTILE.map(() => true))
  },

  'drops prompts before attempts, and each sort at its own age': async (store) => {
    for (const at of [10, 20, 30]) {
      const place = { channel: 'C1', thread: String(at) }
      await store.bindThread(place, 'qwen', 10)
      await store.addAttempt(attempt({ id: String(at), place, at }))
      await store.addButton({ ...BUTTON, id: String(at), at: 1, expires: at })
      await store.firstTime(String(at), at)
    }
    await store.bindThread(OTHER, 'qwen', 10)
    value(await store.prune({ attempts: 20, prompts: 30, buttons: 30, keys: 20, asks: 0, letters: 0 }))
    const smokes = await Promise.all(['10', '20', '30'].map((id) => store.attempt(id)))
    expect(smokes.map(value).map((kept) => kept && { at: kept.at, prompt: kept.smoke?.request.prompt })).toEqual([
      null,
      { at: 20, prompt: undefined },
      { at: 30, prompt: 'Say hello' },
    ])
    const buttons = await Promise.all(['10', '20', '30'].map((id) => store.button(id)))
    expect(buttons.map(value).map((kept) => kept?.expires)).toEqual([undefined, undefined, 30])
    const keys = await Promise.all(['10', '20', '30'].map((key) => store.firstTime(key, 40)))
    expect(keys.map(value)).toEqual([true, false, false])
    expect(value(await store.threadTarget({ channel: 'C1', thread: '20' }))).toBe('qwen')
    expect(value(await store.threadTarget({ channel: 'C1', thread: '10' }))).toBeNull()
    expect(value(await store.threadTarget(OTHER))).toBeNull()
  },

  'keeps a button that holds what somebody typed no longer than prompts': async (store) => {
    for (const at of [10, 20]) {
      for (const once of [true, false]) await store.addButton({ ...BUTTON, id: `${at} ${once}`, at, once, expires: 99 })
    }
    value(await store.prune({ attempts: 0, prompts: 20, buttons: 50, keys: 0, asks: 0, letters: 0 }))
    const buttons = await Promise.all(['10 true', '10 false', '20 true'].map((id) => store.button(id)))
    expect(buttons.map((one) => value(one)?.id)).toEqual([undefined, '10 false', '20 true'])
  },

  'prunes more than one step of rows': async (store) => {
    for (let n = 0; n < 1203; n++) await store.firstTime(String(n), n)
    value(await store.prune({ attempts: 0, prompts: 0, buttons: 0, keys: 1202, asks: 0, letters: 0 }))
    expect(value(await store.firstTime('1201', 0))).toBe(true)
    expect(value(await store.firstTime('1202', 0))).toBe(false)
  },

  'answers after it was closed, with a failure': async (store) => {
    await store.close()
    await store.close()
    expect(failureKind(await store.attempt('a'))).toBe('store')
    expect(failureKind(await store.bindThread(THREAD, 'qwen', 1))).toBe('store')
    expect(failureKind(await store.prune({ attempts: 1, prompts: 1, buttons: 1, keys: 1, asks: 0, letters: 0 }))).toBe(
      'store',
    )
  },
}

async function keepsEverywhere(store: Store, text: string): Promise<void> {
  const place = { channel: text, thread: text }
  const button = { ...BUTTON, id: text, line: text, place }
  const given = attempt({ id: text, by: text, place })
  await store.bindThread(place, text, 1)
  await store.addButton(button)
  await store.addAudit({ ...AUDIT, result: text })
  const added = value(await store.addAttempt(given))
  expect(value(await store.threadTarget(place))).toBe(text)
  expect(value(await store.button(text))).toEqual(button)
  expect(value(await store.attempt(text))).toEqual(added)
  expect(value(await store.lastAttempt(place, null))).toEqual(added)
  expect(value(await store.audits(1))).toEqual([{ ...AUDIT, result: text }])
  expect(value(await store.firstTime(text, 1))).toBe(true)
  expect(value(await store.firstTime(text, 1))).toBe(false)
  await writeChanges(store, text)
  await readChanges(store, text)
  await writeLetters(store, text)
  await readLetters(store, text)
  const ask = openAsk({ id: text, keys: [`ask ${text}`], user: text })
  await store.claim(ask.keys, 1, ask)
  expect(value(await store.openAsks())).toEqual([ask])
}

async function survives(home: StoreHome): Promise<void> {
  let store = value(await home.open())
  const added = value(await store.addAttempt(attempt({ id: 'a' })))
  await store.bindThread(THREAD, 'qwen', 1)
  await store.addButton(BUTTON)
  await store.addAudit(AUDIT)
  await store.firstTime('k', 1)
  await store.claim(['settled', 'so is this'], 1)
  await store.settle(['settled', 'so is this'])
  await store.claim(['left open'], 1)
  const ask = openAsk()
  await store.claim(ask.keys, 1, ask)
  const answered = openAsk({ id: 'answered', keys: ['answered', 'its envelope'] })
  await store.claim(answered.keys, 1, answered)
  await store.addLetter(letter({ id: 'the answer', ask: 'answered' }))
  await writeChanges(store, 'kept')
  await writeLetters(store, 'kept')
  await store.close()
  store = value(await home.open())
  expect(value(await store.attempt('a'))).toEqual(added)
  expect(value(await store.threadTarget(THREAD))).toBe('qwen')
  expect(value(await store.button(BUTTON.id))).toEqual(BUTTON)
  expect(value(await store.audits(5))).toEqual([AUDIT])
  expect(value(await store.firstTime('k', 2))).toBe(false)
  expect(value(await store.claim(['so is this', 'new'], 2))).toBe(false)
  expect(value(await store.claim(['left open'], 2))).toBe(true)
  expect(value(await store.openAsks())).toEqual([ask])
  expect(value(await store.claim(['envelope:1'], 2))).toBe(false)
  expect(value(await store.claim(['its envelope'], 2))).toBe(false)
  value(await store.dropLetter('the answer'))
  expect(value(await store.addAttempt(attempt({ id: 'b' }))).number).toBe(2)
  await readChanges(store, 'kept')
  await readLetters(store, 'kept')
  await store.close()
}
