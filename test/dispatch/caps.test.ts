import { expect, test } from 'vitest'
import { value } from '../contract/store.ts'
import { changeHouse } from './change-house.ts'

const MIN = 60_000

type House = Awaited<ReturnType<typeof changeHouse>>

async function restart({ say, press, wait }: House, line = '/sglang restart qwen', after = MIN): Promise<string> {
  const plan = await say(line)
  const label = [...plan.buttons.keys()].find((one) => one.startsWith('Restart')) ?? null
  const heard = label === null ? plan : await press(plan, label)
  wait(after)
  return heard.answer()?.title ?? ''
}

test('three restarts of a target in 15 min, then none until the first is 15 min old', async () => {
  const house = await changeHouse()
  for (let n = 0; n < 3; n++) expect(await restart(house)).toContain('took it')
  // not even a plan is shown
  expect((await house.say('/sglang restart qwen')).buttons.size).toBe(0)
  expect(await restart(house)).toBe(
    'Not done (Restart qwen): qwen had 3 restarts in the last 15 min, and more of them seldom help. Next: find out why it needs them; the next one is free in 12 min. If it must be now: --force --reason "TEXT".',
  )
  // the first was at 0, the refusal waited one minute more
  house.wait(11 * MIN)
  expect(await restart(house, '/sglang restart qwen', 0)).toMatch(/^Not done/)
  house.wait(1)
  expect(await restart(house)).toContain('took it')
  expect(house.box.acts).toHaveLength(4)
})

test('other targets have their own count', async () => {
  const house = await changeHouse()
  for (let n = 0; n < 3; n++) await restart(house)
  expect((await house.say('/sglang restart llama')).answer()?.title).toBe('Restart llama?')
})

test('with --force and a reason it goes on, and the plan says so', async () => {
  const house = await changeHouse()
  for (let n = 0; n < 3; n++) await restart(house)
  expect(await restart(house, '/sglang restart qwen --force')).toContain('--force needs a reason')
  const plan = await house.say('/sglang restart qwen --force --reason "site down"')
  expect(plan.answer()?.facts.at(-1)).toEqual({ label: 'Forced', value: 'more than three in 15 min are allowed' })
  expect((await house.press(plan, 'Restart qwen')).answer()?.status).toBe('done')
  expect(house.box.acts).toHaveLength(4)
})

test('what surely had no effect does not count, what nobody knows does', async () => {
  const house = await changeHouse()
  for (let n = 0; n < 4; n++) {
    house.box.state.loss = 'refused'
    expect(await restart(house)).toContain('not done')
  }
  house.box.state.deafTo = ['opstat']
  for (let n = 0; n < 3; n++) {
    house.box.state.loss = 'after'
    expect(await restart(house)).toContain('outcome unknown')
  }
  expect(await restart(house)).toMatch(/^Not done .*had 3 restarts/)
  expect(
    value(await house.store.restartsSince({ target: 'qwen', host: 'gpu1', unit: 'qwen' }, 0)).map(({ state }) => state),
  ).toEqual(['issuing', 'issuing', 'issuing'])
})
