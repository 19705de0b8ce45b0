import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { failed } from '../../src/domain/outcome.ts'
import { openHouse, target } from '../commands/house.ts'
import { value } from '../contract/store.ts'
import { ANNA, BOB, CARO, changeHouse, GPU, OPS } from './change-house.ts'
import { machine } from './machine.ts'

const MIN = 60_000

test('a lock with its reason and age keeps others from changing, and nobody from looking', async () => {
  const { say, wait, told } = await changeHouse()
  const locked = await say('/sglang lock qwen measuring until five')
  expect(locked.answer()).toMatchObject({
    title: 'Anna (U0ANNA) locked qwen: “measuring until five”',
    seenBy: 'channel',
  })
  wait(12 * MIN)
  const refused = await say('/sglang restart qwen', { person: BOB })
  expect(told(refused)).toContain(
    'Not done: qwen was locked by Anna (U0ANNA) 12 min ago: “measuring until five”. Next: ask Anna (U0ANNA), or take it off with /sglang unlock qwen',
  )
  expect((await say('/smoke "Hi" --target qwen', { person: BOB })).answer()?.status).toBe('healthy')
  expect((await say('/sglang restart llama', { person: BOB })).answer()?.title).toBe('Restart llama?')
})

test('its owner changes under it', async () => {
  const { say, press, box } = await changeHouse()
  await say('/sglang lock qwen "new weights"')
  expect((await press(await say('/sglang restart qwen'), 'Restart qwen')).answer()?.status).toBe('done')
  expect(box.acts).toHaveLength(1)
  const other = await say('/sglang locks')
  expect(other.answer()?.tables[0]?.rows).toEqual([['qwen', 'Anna (U0ANNA)', 'new weights', 'just now']])
})

test('a lock of a host keeps all targets on it, and no other', async () => {
  const { say } = await changeHouse()
  const locked = await say('/gpu lock gpu1 new driver')
  expect(locked.answer()?.summary).toBe(
    'Nobody else changes gpu1 and all targets on it until it is taken off: /gpu unlock gpu1',
  )
  expect((await say('/sglang restart qwen', { person: BOB })).answer()?.title).toMatch(/^Not done: gpu1 was locked/)
  expect((await say('/sglang restart llama', { person: BOB })).answer()?.title).toBe('Restart llama?')
  expect((await say('/gpu locks')).answer()?.tables[0]?.rows).toEqual([
    ['host gpu1', 'Anna (U0ANNA)', 'new driver', 'just now'],
  ])
})

test('anybody with the role takes it off, also another’s, and everybody sees whose it was', async () => {
  const { say, wait, results } = await changeHouse()
  await say('/sglang lock qwen mine')
  wait(3 * 3_600_000)
  expect((await say('/sglang unlock qwen', { person: CARO })).answer()?.title).toContain('not operator')
  const off = await say('/sglang unlock qwen', { person: BOB })
  expect(off.answer()).toMatchObject({
    tone: 'warning',
    seenBy: 'channel',
    title: 'Bob (U0BOB) took the lock of Anna (U0ANNA) off qwen',
    summary: 'It stood for 3 h: “mine”',
  })
  expect((await results())[0]).toBe('done: Bob (U0BOB) took the lock of Anna (U0ANNA) off qwen')
  expect((await say('/sglang unlock qwen')).answer()?.title).toBe('qwen is not locked, so nothing was taken off.')
  expect((await say('/sglang locks')).answer()?.title).toBe('Nothing is locked')
})

test.each([
  ['without a reason', '/sglang lock qwen', /a lock needs a reason\. Next: \/sglang lock qwen REASON/],
  ['of a host without a reason', '/gpu lock gpu1', /a lock needs a reason\. Next: \/gpu lock gpu1 REASON/],
  ['with a reason of 201 characters', `/sglang lock qwen ${'x'.repeat(201)}`, /201 characters.*200/],
  ['of a host that is none', '/gpu lock gpu9 why', /no host “gpu9”/],
  ['of no host', '/gpu lock', /No host is named/],
  ['of a name with a slip in it', '/sglang lock qwem measuring', /“qwem” is no target\. Did you mean qwen\?/],
])('a lock %s is not taken', async (_what, line, words) => {
  const { say, store } = await changeHouse()
  expect((await say(line)).answer()?.title).toMatch(words)
  expect(value(await store.locks())).toEqual([])
})

test('a reason in quotes, with the target before it or not, stays one reason', async () => {
  const { say, store } = await changeHouse()
  await say('/sglang lock qwen "too hot, “really”"')
  await say('/sglang lock "llama is next" --target llama')
  const kept = value(await store.locks())
    .map(({ on, reason }) => [on.name, reason])
    .toSorted()
  expect(kept).toEqual([
    ['llama', 'llama is next'],
    ['qwen', "too hot, 'really'"],
  ])
})

test('a second lock is refused with the first one’s owner, also to the owner', async () => {
  const { say } = await changeHouse()
  await say('/sglang lock qwen one')
  expect((await say('/sglang lock qwen two', { person: BOB })).answer()?.title).toMatch(
    /Anna \(U0ANNA\) locked qwen just now: “one”/,
  )
  expect((await say('/sglang lock qwen three')).answer()?.title).toMatch(/^Not locked: Anna/)
})

test('50 locks at once by two people: one stands, 49 are told whose it is', async () => {
  const { say, store } = await changeHouse()
  const heard = await Promise.all(
    Array.from({ length: 50 }, (_, n) => say(`/sglang lock qwen n${n}`, { person: n % 2 === 0 ? ANNA : BOB })),
  )
  expect(heard.filter((one) => one.answer()?.status === 'done')).toHaveLength(1)
  expect(heard.filter((one) => /^Not locked: .* locked qwen/.test(one.answer()?.title ?? ''))).toHaveLength(49)
  expect(value(await store.locks())).toHaveLength(1)
})

test('locks that cannot be read count as locks, at the plan and at the press', async () => {
  let broken = false
  const full = { kind: 'store', thing: 'store x', observed: 'the disk failed', next: 'look at it' } as const
  const { say, press, told, box } = await changeHouse({
    records: (store) => ({ ...store, locks: async () => (broken ? failed(full) : store.locks()) }),
  })
  const plan = await say('/sglang restart qwen')
  broken = true
  const words = 'the locks cannot be read, so everything counts as locked. store x: the disk failed.'
  expect(told(await say('/sglang restart qwen'))).toContain(words)
  expect(told(await press(plan, 'Restart qwen'))).toContain(words)
  expect(told(await say('/sglang locks'))).toContain('so everything counts as locked')
  expect(box.acts).toEqual([])
})

test('while a change runs another one is refused with who and since when; then the way is free', async () => {
  const { say, press, box, wait, told } = await changeHouse()
  const [one, two] = [await say('/sglang restart qwen'), await say('/sglang restart qwen', { person: BOB })]
  const { run } = box.host
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const slow: typeof run = async (verb, args, call) => {
    if (verb.name === 'restart') {
      reached.resolve()
      await held.promise
    }
    return run(verb, args, call)
  }
  Object.assign(box.host, { run: slow })
  const going = press(one, 'Restart qwen')
  await reached.promise
  wait(7_000)
  expect(told(await press(two, 'Restart qwen', BOB))).toContain(
    'Not done: another change of qwen is under way (Restart qwen, asked for by Anna (U0ANNA) 7 s ago). Next: wait until it has ended',
  )
  expect(told(await say('/sglang restart qwen', { person: BOB }))).toContain('another change of qwen is under way')
  held.resolve()
  expect((await going).answer()?.status).toBe('done')
  expect((await say('/sglang restart qwen', { person: BOB })).answer()?.title).toBe('Restart qwen?')
  expect(box.acts).toHaveLength(1)
})

test('a person’s lock outlives a crash with its owner, reason and age; a change’s own is still known by its operation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-locks-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'pilotflame.db')
  const { kind: _kind, ...owner } = ANNA
  const locks = [
    { on: { kind: 'host', name: 'gpu1' }, owner, reason: 'new driver', channel: 'C0GPU', at: 1, operation: null },
    { on: { kind: 'host', name: 'gpu1' }, owner, reason: 'Restart qwen', channel: 'C0GPU', at: 2, operation: 'op1' },
  ] as const
  const before = value(await openStore({ path, redact: String }))
  for (const lock of locks) expect(value(await before.takeLock(lock))).toBeNull()
  await before.close()
  const after = value(await openStore({ path, redact: String }))
  onTestFinished(() => after.close())
  expect(value(await after.locks())).toEqual(locks)
  expect(value(await after.dropLock(locks[0].on, 'op2'))).toBeNull()
  expect(value(await after.dropLock(locks[0].on, 'op1'))).toEqual(locks[1])
  expect(value(await after.locks())).toEqual([locks[0]])
})

test('whose lock was taken off in another channel hears of it where it was taken', async () => {
  const { say, announced } = await changeHouse()
  const ops = { place: { channel: OPS, thread: null } }
  await say('/sglang lock qwen mine')
  await say('/sglang unlock qwen', ops)
  expect(announced).toEqual([])
  await say('/sglang lock qwen mine')
  const off = await say('/sglang unlock qwen', { ...ops, person: BOB })
  expect(off.answer()?.title).toBe('Bob (U0BOB) took the lock of Anna (U0ANNA) off qwen')
  expect(announced).toEqual([`${GPU}: Bob (U0BOB) took the lock of Anna (U0ANNA) off qwen It stood for 0 s: “mine”`])
  await say('/sglang lock qwen mine')
  await say('/sglang unlock qwen', { person: BOB })
  expect(announced).toHaveLength(1)
})

test('a host is locked, unlocked and told of only where one of its targets may be used', async () => {
  const roles = { admins: [], operators: ['T0:U0ANNA', 'T0:U0BOB'], adminGroups: [], operatorGroups: [] }
  const { say, store } = await openHouse({
    targets: [
      { ...target('qwen'), host: 'gpu1', unit: 'qwen' },
      { ...target('llama'), host: 'gpu2', unit: 'llama' },
    ],
    policy: {
      roles,
      channels: [
        { id: GPU, targets: ['llama'], target: null },
        { id: OPS, targets: ['qwen'], target: null },
      ],
    },
    host: (name) => (['gpu1', 'gpu2'].includes(name) ? { ...machine(() => 0).host, name } : null),
  })
  const ops = { place: { channel: OPS, thread: null } }
  expect((await say('/gpu lock gpu2 secret project', { person: BOB })).answer()?.status).toBe('done')
  for (const word of ['gpu', 'sglang']) {
    expect((await say(`/${word} locks`, ops)).answer()).toMatchObject({ title: 'Nothing is locked', tables: [] })
  }
  for (const line of ['/gpu unlock gpu2', '/gpu lock gpu2 mine']) {
    expect((await say(line, ops)).answer()?.title).toMatch(
      /^There is no host “gpu2” with a target that may be used here/,
    )
  }
  expect(value(await store.locks())).toHaveLength(1)
  expect((await say('/gpu locks')).answer()?.tables[0]?.rows).toHaveLength(1)
})
