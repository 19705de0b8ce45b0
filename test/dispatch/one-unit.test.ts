import { expect, test } from 'vitest'
import type { Person } from '../../src/domain/ask.ts'
import { openHouse, target } from '../commands/house.ts'
import { value } from '../contract/store.ts'
import { ANNA, BOB, GPU, OPS } from './change-house.ts'
import { machine } from './machine.ts'

const roles = { admins: [], operators: ['T0:U0ANNA', 'T0:U0BOB'], adminGroups: [], operatorGroups: [] }

/** One server that serves two models, and so has two names; the channel OPS may use the second one alone. */
async function twins(given: { readonly protected?: boolean } = {}) {
  const box = machine(() => 1_700_000_000_000)
  const house = await openHouse({
    targets: [
      { ...target('qwen'), host: 'gpu1', unit: 'qwen', protected: given.protected ?? false },
      { ...target('qwen-lora'), host: 'gpu1', unit: 'qwen' },
      { ...target('elsewhere'), host: 'gpu2', unit: 'qwen' },
    ],
    policy: {
      roles,
      channels: [
        { id: GPU, targets: [], target: null },
        { id: OPS, targets: ['qwen-lora'], target: null },
      ],
    },
    host: (name) => ({ ...box.host, name }),
  })
  type Heard = Awaited<ReturnType<typeof house.say>>
  const press = async (heard: Heard, label: string, person: Person = ANNA) => {
    const button = value(await house.store.button(heard.buttons.get(label) ?? ''))
    return house.say(button?.line ?? '', { how: 'button', place: { channel: GPU, thread: 'plan' }, person })
  }
  return { ...house, box, press }
}

test('a lock on one name of a unit stands for its other names, and for no unit of another host', async () => {
  const { say, box } = await twins()
  await say('/sglang lock qwen do not touch', { person: BOB })
  expect((await say('/sglang restart qwen-lora')).answer()?.title).toMatch(
    /^Not done: qwen was locked by Bob \(U0BOB\) just now: “do not touch”\..*\/sglang unlock qwen$/,
  )
  expect((await say('/sglang restart elsewhere')).answer()?.title).toBe('Restart elsewhere?')
  expect(box.acts).toEqual([])
})

test('where the other name is not used, its lock stands too, and neither it nor its reason is told', async () => {
  const { say } = await twins()
  await say('/sglang lock qwen secret project', { person: BOB })
  const heard = await say('/sglang restart qwen-lora', { place: { channel: OPS, thread: null } })
  expect(heard.answer()?.title).toBe(
    'Not done: the same server was locked under a name that is not used here, by Bob (U0BOB) just now. Next: ask Bob (U0BOB)',
  )
})

test('what is protected by one name takes a second person by the other', async () => {
  const { say, press, box } = await twins({ protected: true })
  const plan = await say('/sglang restart qwen-lora')
  expect([...plan.buttons.keys()]).toEqual(['Approve: Restart qwen-lora', 'Cancel'])
  expect((await press(plan, 'Approve: Restart qwen-lora')).answer()?.title).toMatch(/^You asked for it/)
  expect(box.acts).toEqual([])
  const explained = (await say('/pilotflame access explain sglang restart --target qwen-lora')).answer()
  expect(explained?.facts.map(({ label }) => label)).toEqual(['Second person'])
})

test('three restarts in 15 min, counted over both names', async () => {
  const { say, press, box } = await twins()
  for (const name of ['qwen', 'qwen-lora', 'qwen']) {
    const heard = await press(await say(`/sglang restart ${name}`), `Restart ${name}`)
    expect(heard.answer()?.status).toBe('done')
  }
  expect((await say('/sglang restart qwen-lora')).answer()?.title).toMatch(
    /^Not done \(Restart qwen-lora\): qwen-lora had 3 restarts in the last 15 min/,
  )
  expect(box.acts).toHaveLength(3)
})

test('of two changes at once by two names one acts', async () => {
  const { say, press, box, store } = await twins()
  const [one, two] = [await say('/sglang restart qwen'), await say('/sglang restart qwen-lora', { person: BOB })]
  const heard = await Promise.all([press(one, 'Restart qwen'), press(two, 'Restart qwen-lora', BOB)])
  expect(heard.filter((each) => each.answer()?.status === 'done')).toHaveLength(1)
  expect(box.acts).toHaveLength(1)
  expect(value(await store.locks())).toEqual([])
})
