import { expect, test } from 'vitest'
import { failed } from '../../src/domain/outcome.ts'
import type { Audit, Store } from '../../src/domain/store.ts'
import { openHouse, target } from '../commands/house.ts'
import { value } from '../contract/store.ts'
import { ANNA, BOB, changeHouse, GPU, OPS } from './change-house.ts'

const FULL = { kind: 'store', thing: 'store x', observed: 'the disk is full', next: 'free some space' } as const

/** Keeps no audit line of that result. */
function without(result: string) {
  return (store: Store): Store => ({
    ...store,
    addAudit: async (line: Audit) => (line.result === result ? failed(FULL) : store.addAudit(line)),
  })
}

test('what changes something is not done where it cannot be recorded that it was asked for; looking goes on', async () => {
  const { say, store } = await changeHouse({ records: without('started') })
  for (const line of ['/sglang restart qwen', '/sglang lock qwen mine', '/pilotflame sglang use qwen']) {
    const heard = await say(line)
    expect(heard.answer()?.title).toBe(
      'Not done: what cannot be recorded is not done. store x: the disk is full. Next: free some space.',
    )
    expect(heard.buttons.size).toBe(0)
  }
  expect(value(await store.locks())).toEqual([])
  expect((await say('/smoke "Hi" --target qwen')).answer()?.status).toBe('healthy')
})

test('a press acts only where it is recorded that it was made', async () => {
  const { say, press, box, store } = await changeHouse({ records: without('confirmed') })
  const plan = await say('/sglang restart qwen')
  const heard = await press(plan, 'Restart qwen')
  expect(heard.answer()?.title).toMatch(/^Not done: what cannot be recorded is not done\. store x: the disk is full/)
  expect(heard.answer()?.actions.map(({ label }) => label)).toEqual(['New plan'])
  expect(box.acts).toEqual([])
  expect(value(await store.openOperations())).toEqual([])
})

test('an approval acts only where it is recorded', async () => {
  const { say, press, box } = await changeHouse({ protected: true, records: without('approved') })
  await press(await say('/sglang restart qwen'), 'Approve: Restart qwen', BOB)
  expect(box.acts).toEqual([])
})

test('a press acts only where it is recorded that the plan has no buttons any more', async () => {
  let full = false
  const { say, press, box, results } = await changeHouse({
    records: (store) => ({
      ...store,
      placePlan: async (...given) => (full ? failed(FULL) : store.placePlan(...given)),
    }),
  })
  const plan = await say('/sglang restart qwen')
  full = true
  expect((await press(plan, 'Restart qwen')).answer()?.title).toMatch(
    /^Not done: what cannot be recorded is not done\. store x: the disk is full/,
  )
  expect(box.acts).toEqual([])
  expect((await results())[0]).toBe('press not kept')
})

test('--force is in the audit, in the record of the change and in its message', async () => {
  const { say, press, results, store, box, told } = await changeHouse()
  const plan = await say('/sglang restart qwen --force --reason "site down"')
  box.state.loss = 'after'
  box.state.deafTo = ['opstat']
  const done = await press(plan, 'Restart qwen')
  expect(await results()).toContain('asked (own, forced): site down')
  expect(told(done)).toContain('Forced: more than three in 15 min were allowed.')
  expect(value(await store.openOperations())).toMatchObject([{ forced: true, reason: 'site down' }])
})

test('a plan that cannot be read leaves a line', async () => {
  const { say, store } = await changeHouse({ records: (real) => ({ ...real, plan: async () => failed(FULL) }) })
  expect((await say('confirm x-1', { how: 'button' })).answer()?.title).toMatch(/^Nothing was done\. store x/)
  expect(value(await store.audits(1))).toMatchObject([{ decision: 'refused', result: 'confirm: plan not read' }])
})

test('what a surface refuses by itself leaves a line', async () => {
  const { house, store } = await changeHouse()
  await house.refused({ person: ANNA, place: { channel: OPS, thread: null } }, 'button expired')
  expect(value(await store.audits(1))).toMatchObject([
    {
      person: ANNA,
      place: { channel: OPS },
      command: 'unknown',
      target: null,
      decision: 'refused',
      result: 'button expired',
    },
  ])
})

test('a smoke of several names them, and a channel reads of those that it uses', async () => {
  const roles = { admins: ['T0:U0ANNA'], operators: [], adminGroups: [], operatorGroups: [] }
  const channels = [
    { id: GPU, targets: [], target: null },
    { id: OPS, targets: ['llama'], target: null },
  ]
  const { say, store } = await openHouse({ policy: { roles, channels }, targets: ['qwen', 'llama', 'phi'].map(target) })
  await say('/smoke "Hi" on qwen, llama')
  await say('/smoke "Hi" on all')
  await say('/smoke "Hi" on nothing, secret')
  const named = value(await store.audits(9)).map(({ target: of, result }) => `${of}: ${result}`)
  expect(named.toReversed()).toEqual([
    'qwen, llama: started',
    'qwen, llama: healthy',
    'qwen, llama, phi: started',
    'qwen, llama, phi: healthy',
    'null: started',
    'null: usage',
  ])
  const rows = (await say('/pilotflame audit', { place: { channel: OPS, thread: null } })).answer()?.tables[0]?.rows
  expect(rows?.at(-1)?.[3]).toBe('(not used here), llama')
})

test('of a change that was not even tried the audit keeps no word that was typed', async () => {
  const { say, results } = await changeHouse()
  await say('/sglang use my-secret-words')
  await say('/gpu lock secret-host because')
  await say('/sglang unlock qwen')
  expect((await results()).toReversed()).toEqual([
    'started',
    'usage',
    'started',
    'usage',
    'started',
    'refused: qwen is not locked, so nothing was taken off.',
  ])
})
