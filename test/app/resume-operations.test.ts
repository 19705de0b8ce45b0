import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { leftBehind, resumeOperations } from '../../src/app/resume-operations.ts'
import type { Operation } from '../../src/domain/operation.ts'
import { failed } from '../../src/domain/outcome.ts'
import { readFence } from '../../src/domain/unit.ts'
import { restart } from '../../src/domain/verbs/index.ts'
import { value } from '../contract/store.ts'
import { machine } from '../dispatch/machine.ts'
import { ANNA, operation } from './left-change.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const BOB = { team: 'T0', id: 'U0BOB', name: 'Bob' }
const ON = { kind: 'target', name: 'qwen' } as const

/** A store as a crash left it: the operation recorded and its lock held, and what was issued done on the machine. */
async function crashed(issued: boolean, given: Partial<Operation> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-resume-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'pilotflame.db')
  const box = machine(() => 1_700_000_000_000)
  const op = operation(given)
  const before = value(await openStore({ path, redact: String }))
  value(
    await before.takeLock({ on: ON, owner: ANNA, reason: 'Restart qwen', channel: 'C0GPU', at: 5, operation: op.id }),
  )
  value(await before.takeLock({ on: ON, owner: BOB, reason: 'mine', channel: 'C0GPU', at: 4, operation: null }))
  value(await before.addOperation(op))
  const fence = readFence(`12.active-${'1'.padStart(8, '0').padEnd(32, '0')}`)
  const signal = new AbortController().signal
  if (issued && fence !== null) value(await box.host.run(restart, { unit: 'qwen', fence }, { signal, op: op.id }))
  await before.close()
  const store = value(await openStore({ path, redact: String }))
  onTestFinished(() => store.close())
  const told: string[] = []
  const stop = new AbortController()
  const resuming = {
    store,
    log,
    clock: { now: () => 9, monotonic: () => 9 },
    host: (name: string) => (name === 'gpu1' ? box.host : null),
    async tell({ message }: Operation, { title, summary, lead }: { title: string; summary: string; lead: string }) {
      told.push(`${message}: ${[title, summary, lead].join(' ')}`)
      return true
    },
    signal: stop.signal,
  }
  return { box, store, op, told, resuming, stop }
}

test.each([
  [
    'done',
    true,
    {},
    'done',
    /^1\.1: sglang restart of qwen: done Pilotflame was restarted in the middle\. gpu1 says that it was done at 22:13:20 UTC\./,
  ],
  [
    'never issued',
    false,
    {},
    'failed',
    /not done .*gpu1 says that it never came there: nothing was done\. Next: ask again/,
  ],
  ['on a host that is gone', true, { host: 'gpu9' }, 'unknown', /outcome unknown .*There is no host gpu9 any more/],
  ['without a host', true, { host: null }, 'unknown', /outcome unknown .*No host keeps a record of it/],
] as const)(
  'a change that a crash left open is asked after, told and ended: %s',
  async (_what, issued, given, state, words) => {
    const { box, store, op, told, resuming } = await crashed(issued, { approver: BOB, reason: 'new weights', ...given })
    await resumeOperations(await leftBehind(store, log), resuming)
    expect(told).toEqual([expect.stringMatching(words)])
    expect(told[0]).toContain('Asked by Anna (U0ANNA). Approved by Bob (U0BOB). Reason: “new weights”.')
    expect(value(await store.openOperations())).toEqual([])
    const counted = value(await store.restartsSince({ target: 'qwen', host: 'gpu1', unit: 'qwen' }, 0)).map(
      (one) => one.state,
    )
    expect(counted).toEqual(state === 'failed' ? [] : [state])
    // the person's own lock stays
    expect(value(await store.locks()).map(({ owner, operation }) => [owner.id, operation])).toEqual([['U0BOB', null]])
    expect(value(await store.audits(9))).toMatchObject([
      { command: 'sglang restart', target: 'qwen', result: `${state}, found after a restart of Pilotflame` },
    ])
    expect(box.acts).toHaveLength(issued ? 1 : 0)
    // the next start has nothing left to ask
    const asked = box.asked.length
    await resumeOperations(await leftBehind(store, log), resuming)
    expect(box.asked).toHaveLength(asked)
    expect(box.acts).toEqual(issued ? [op.id] : [])
  },
)

test('a host that does not answer is asked again at each start for 7 days; it is never issued again', async () => {
  const { box, store, told, resuming } = await crashed(true)
  const of = { target: 'qwen', host: 'gpu1', unit: 'qwen' }
  const states = async () => value(await store.restartsSince(of, 0)).map(({ state }) => state)
  box.state.deafTo = ['opstat']
  await resumeOperations(await leftBehind(store, log), resuming)
  expect(told[0]).toMatch(/outcome unknown .*The host cannot be asked\. host gpu1: no answer/)
  expect(await states()).toEqual(['issuing'])
  const last = 5 + 7 * 24 * 3_600_000
  for (const now of [last - 1, last]) {
    await resumeOperations(await leftBehind(store, log), { ...resuming, clock: { now: () => now, monotonic: () => 0 } })
  }
  expect(await states()).toEqual(['unknown'])
  expect(told).toEqual([told[0], told[0], told[0]])
  expect(box.acts).toHaveLength(1)
})

test('a stop while the host is being asked leaves it to the next start', async () => {
  const { store, told, resuming, stop } = await crashed(true)
  const left = await leftBehind(store, log)
  stop.abort()
  await resumeOperations(left, resuming)
  expect(told).toEqual([])
  expect(value(await store.openOperations())).toHaveLength(1)
  expect(value(await store.locks())).toHaveLength(2)
})

test('a lock of a change that was never recorded goes, since nothing was done under it', async () => {
  const { store, resuming } = await crashed(false)
  const on = { kind: 'target', name: 'llama' } as const
  value(await store.takeLock({ on, owner: ANNA, reason: 'Restart llama', channel: 'C0GPU', at: 6, operation: 'lost' }))
  await resumeOperations(await leftBehind(store, log), resuming)
  expect(value(await store.locks()).map(({ owner }) => owner.id)).toEqual(['U0BOB'])
})

test('what begins after the start is left alone', async () => {
  const { store, told, resuming } = await crashed(false)
  const left = await leftBehind(store, log)
  value(await store.addOperation(operation({ id: 'new', at: 7 })))
  const on = { kind: 'target', name: 'llama' } as const
  value(await store.takeLock({ on, owner: ANNA, reason: 'Restart llama', channel: 'C0GPU', at: 7, operation: 'new' }))
  await resumeOperations(left, resuming)
  expect(told).toHaveLength(1)
  expect(value(await store.openOperations()).map(({ id }) => id)).toEqual(['new'])
  expect(value(await store.locks()).map(({ operation: of }) => of)).toEqual([null, 'new'])
})

test('a crash before its end is written tells it once more, and what it held is free by then', async () => {
  const { store, told, resuming } = await crashed(true)
  const left = await leftBehind(store, log)
  const seen: unknown[] = []
  const tell: typeof resuming.tell = async (operation, report) => {
    seen.push(
      value(await store.openOperations()).length,
      value(await store.locks()).map(({ owner }) => owner.id),
    )
    return resuming.tell(operation, report)
  }
  await resumeOperations(left, { ...resuming, tell })
  expect(seen).toEqual([1, ['U0BOB']])
  expect(told).toHaveLength(1)
})

test('where the locks cannot be read, changes are asked after all the same, and no lock is taken off', async () => {
  const { store, told, resuming } = await crashed(true)
  const unread = { kind: 'store', thing: 'a lock', observed: 'cannot be read', next: 'look' } as const
  await resumeOperations(await leftBehind({ ...store, locks: async () => failed(unread) }, log), resuming)
  expect(told).toHaveLength(1)
  expect(value(await store.openOperations())).toEqual([])
  expect(value(await store.locks())).toHaveLength(2)
})
