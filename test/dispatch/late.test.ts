import { expect, test } from 'vitest'
import type { Opened } from '../../src/domain/conversation.ts'
import type { Host } from '../../src/domain/host.ts'
import { ok } from '../../src/domain/outcome.ts'
import type { Directory } from '../../src/domain/role.ts'
import { openHouse, target } from '../commands/house.ts'
import { value } from '../contract/store.ts'
import { ANNA, BOB, CARO, changeHouse, GPU } from './change-house.ts'
import { machine } from './machine.ts'

const PRESS = { how: 'button', place: { channel: GPU, thread: 'plan' } } as const

async function lineOf({ store, say }: Pick<Awaited<ReturnType<typeof openHouse>>, 'store' | 'say'>) {
  const plan = await say('/sglang restart qwen')
  const [label = ''] = plan.buttons.keys()
  return value(await store.button(plan.buttons.get(label) ?? ''))?.line ?? ''
}

test('a press in time does nothing where Slack took it beyond the time of the plan', async () => {
  const house = await changeHouse()
  const line = await lineOf(house)
  const { heard, done } = house.start(line, { ...PRESS, person: ANNA }, async () => {
    house.wait(3_600_000)
    return { place: PRESS.place, message: 'plan' }
  })
  await done
  expect(heard.answer()?.title).toBe('Not done: it took so long that the plan has expired meanwhile.')
  expect(house.box.acts).toEqual([])
  expect(value(await house.store.locks())).toEqual([])
})

test('a press waits 5 s for Slack to change the message, and no longer', async () => {
  const waits: number[] = []
  let late = (): void => {}
  const house = await changeHouse({
    every(ms, run) {
      waits.push(ms)
      late = run
      return () => {}
    },
  })
  const line = await lineOf(house)
  const slack = Promise.withResolvers<Opened>()
  const { heard, done } = house.start(line, { ...PRESS, person: ANNA }, () => {
    // Slack says nothing, and 5 s pass
    queueMicrotask(() => late())
    return slack.promise
  })
  await expect.poll(() => house.box.acts.length).toBe(1)
  expect(waits).toEqual([5_000])
  expect(heard.ended).toEqual([])
  slack.resolve({ place: PRESS.place, message: 'plan' })
  await done
  expect(heard.answer()?.status).toBe('done')
})

test('of a press in time and one too late, both under way, the second does not say that nothing was done', async () => {
  let gate: Promise<void> | null = null
  const directory: Directory = {
    group: async () => ok([]),
    person: async (id) => ok({ name: id, kind: 'member' }),
    async shared() {
      const held = gate
      gate = null
      await held
      return ok(false)
    },
  }
  const box = machine(() => 1_700_000_000_000)
  const operators = [ANNA, BOB, CARO].map(({ team, id }) => `${team}:${id}`)
  const roles = { admins: [], operators, adminGroups: [], operatorGroups: [] }
  const house = await openHouse({
    directory,
    policy: { roles, channels: [{ id: GPU, targets: [], target: null }] },
    targets: [{ ...target('qwen'), host: 'gpu1', unit: 'qwen', protected: true }],
    host: () => box.host,
  })
  const line = await lineOf(house)
  house.wait(299_500)
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  const slow = house.start(line, { ...PRESS, person: CARO })
  await expect.poll(() => gate).toBeNull()
  expect((await house.say(line, { ...PRESS, person: BOB })).answer()?.status).toBe('done')
  house.wait(1_000)
  resolve()
  await slow.done
  expect(slow.heard.begun).toEqual([])
  expect(slow.heard.answer()?.title).toMatch(/^Bob \(U0BOB\) pressed first/)
  expect(box.acts).toHaveLength(1)
})

test('where Slack takes the message after the change was recorded, no run is noted beside it', async () => {
  let late = (): void => {}
  const noted: string[] = []
  const [slack, answer] = [Promise.withResolvers<Opened>(), Promise.withResolvers<void>()]
  const box = machine(() => 1_700_000_000_000)
  const host: Host = {
    ...box.host,
    async run(verb, ...given) {
      const ran = await box.host.run(verb, ...given)
      if (verb.name === 'restart') await answer.promise
      return ran
    },
  }
  const house = await changeHouse({
    host,
    every(_ms, run) {
      late = run
      return () => {}
    },
    records: (store) => ({
      ...store,
      addRun(run) {
        noted.push(run.change === undefined ? 'no change' : run.change.title)
        return store.addRun(run)
      },
    }),
  })
  const line = await lineOf(house)
  const { done } = house.start(line, { ...PRESS, person: ANNA }, () => {
    queueMicrotask(() => late())
    return slack.promise
  })
  await expect.poll(() => box.acts.length).toBe(1)
  slack.resolve({ place: PRESS.place, message: 'another message' })
  await expect.poll(async () => value(await house.store.threadTarget(PRESS.place))).toBe('qwen')
  // a crash here leaves the record of the change, and nothing that says otherwise
  expect(value(await house.store.openOperations())).toHaveLength(1)
  expect(value(await house.store.openRuns())).toEqual([])
  answer.resolve()
  await done
  expect(noted).toEqual(['Restart qwen'])
})
