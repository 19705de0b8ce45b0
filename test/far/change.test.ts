import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Host } from '../../src/domain/host.ts'
import { failed } from '../../src/domain/outcome.ts'
import { value } from '../contract/value.ts'
import { BOB, changeHouse } from '../dispatch/change-house.ts'
import type { Box } from './box/box.ts'
import { install } from './box/install.ts'
import { test } from './far-test.ts'
import { rootLog } from './nemesis/root-log.ts'
import { verbsOver } from './verbs-over.ts'

const LOST = { kind: 'lost', thing: 'host gpu1', observed: 'the connection was lost', next: 'look at it' } as const

/** How the answer of the next restart is lost: on the way there, or on the way back. */
type Loss = 'there' | 'back' | null

/** The house over a real machine, and a way to lose an answer. */
async function scene(box: Box) {
  const { installed } = await install(box)
  const verbs = verbsOver([installed])
  const real = verbs.host(installed.name)
  const line = { loss: null as Loss }
  const host: Host = {
    ...real,
    async run(verb, args, call) {
      const { loss } = line
      if (verb.name !== 'restart' || loss === null) return real.run(verb, args, call)
      line.loss = null
      if (loss === 'back') await real.run(verb, args, call)
      return failed(LOST)
    },
  }
  const house = await changeHouse({ host, unit: 'main', newId: randomUUID })
  return { ...house, log: await rootLog(box), line, close: verbs.close }
}

test('a confirmed restart is one act of root; a lost answer is looked up and never acted on twice', {
  timeout: 60_000,
}, async ({ startBox, onTestFinished }) => {
  const { say, press, told, log, line, store, close } = await scene(await startBox())
  onTestFinished(() => close())
  const plan = await say('/sglang restart qwen')
  expect(plan.answer()?.facts.slice(0, 3)).toEqual([
    { label: 'Unit', value: 'sglang.service on gpu1' },
    { label: 'State', value: expect.stringMatching(/^active \(running\) for \d+ s$/) },
    { label: 'Changes by Pilotflame', value: '0' },
  ])
  expect(told(await press(plan, 'Restart qwen', BOB))).toContain('Only Anna (U0ANNA)')
  expect(await log.acts()).toEqual([])
  const twice = await Promise.all([press(plan, 'Restart qwen'), press(plan, 'Restart qwen')])
  expect(twice.map(told).filter((words) => words.includes('systemd on gpu1 took it'))).toHaveLength(1)
  expect(await log.of('sglang')).toBe(1)

  line.loss = 'back'
  const back = told(await press(await say('/sglang restart qwen'), 'Restart qwen'))
  expect(back).toMatch(/^Restart qwen: done .*gpu1 says that it was done at/)
  expect(await log.of('sglang')).toBe(2)

  line.loss = 'there'
  const there = told(await press(await say('/sglang restart qwen'), 'Restart qwen'))
  expect(there).toMatch(/^Restart qwen: not done .*it never came there: nothing was done/)
  expect(await log.of('sglang')).toBe(2)
  expect(value(await store.locks())).toEqual([])
  expect(value(await store.openOperations())).toEqual([])
})

test('a plan from before an outside restart is refused at the press', { timeout: 60_000 }, async ({
  startBox,
  onTestFinished,
}) => {
  const box = await startBox()
  const { say, press, told, log, close } = await scene(box)
  onTestFinished(() => close())
  const plan = await say('/sglang restart qwen')
  await box.exec('systemctl restart sglang')
  expect(told(await press(plan, 'Restart qwen'))).toContain('cancelled, since the state changed')
  expect(await log.acts()).toEqual([])
})
