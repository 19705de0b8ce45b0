import { expect, test } from 'vitest'
import { planExpiry } from '../../src/app/expired-plans.ts'
import type { PlacedPlan } from '../../src/domain/plan.ts'
import type { Report } from '../../src/domain/report.ts'
import { value } from '../contract/store.ts'
import { BOB, changeHouse } from '../dispatch/change-house.ts'

/** A house with a restart that is planned, and the pass over expired plans on its clock. */
async function planned(given: Parameters<typeof changeHouse>[0] = {}) {
  const house = await changeHouse(given)
  const told: string[] = []
  const warned: string[] = []
  const stop = new AbortController()
  const slack = { takes: true, tell: async (): Promise<void> => {} }
  const pass = planExpiry({
    store: house.store,
    clock: { now: house.now },
    log: { debug() {}, info() {}, warn: (message) => warned.push(message), error: (message) => warned.push(message) },
    typed: (line) => `/${line}`,
    async tell({ message }: PlacedPlan, { title, summary, lead, actions }: Report) {
      await slack.tell()
      told.push([message, title, lead, summary, actions.length].join(' | '))
      return slack.takes
    },
    signal: stop.signal,
  })
  const plan = await house.say('/sglang restart qwen --reason "new weights"')
  return { ...house, plan, pass, told, warned, stop, slack }
}

const SAID =
  '1700000001.000200 | Restart qwen: expired, since nobody confirmed it within 60 s. Nothing was done. | Asked by Anna (U0ANNA). Reason: “new weights”. | Next: where it is still wanted, ask again: /sglang restart --target qwen --reason "new weights" | 0'

test('a plan of 60 s is told of once, between 65 s and the next pass, in the message that has its buttons', async () => {
  const { wait, pass, told, warned } = await planned()
  wait(65_000)
  await pass()
  // a press in the last moment may still be on its way into the store
  expect(told).toEqual([])
  wait(1)
  await pass()
  expect(told).toEqual([SAID])
  await pass()
  expect(told).toHaveLength(1)
  expect(warned).toEqual([])
})

test.each(['Restart qwen', 'Cancel'])('one that was pressed (%s) is left alone', async (label) => {
  const { wait, pass, told, press, plan } = await planned()
  await press(plan, label)
  wait(3_600_000)
  await pass()
  expect(told).toEqual([])
})

test('one whose late press took the buttons away is not told of again', async () => {
  const { wait, pass, told, press, plan } = await planned()
  wait(61_000)
  expect((await press(plan, 'Restart qwen')).answer()?.title).toContain('too late')
  wait(3_600_000)
  await pass()
  expect(told).toEqual([])
})

test('an approval that nobody answered still counts for breaking the glass', async () => {
  const { wait, pass, told, say } = await planned({ protected: true })
  wait(305_001)
  await pass()
  expect(told[0]).toContain('expired, since nobody approved it within 5 min')
  const glass = await say('/sglang restart qwen --break-glass "site down"', { person: BOB })
  expect(glass.answer()?.title).toBe('BREAK GLASS: Restart qwen without a second person?')
})

test('the next start finds what was left, also after a prune', async () => {
  const { wait, pass, told, store, now } = await planned()
  wait(7 * 86_400_000)
  const hour = now() - 3_600_000
  value(await store.prune({ attempts: hour, prompts: hour, buttons: hour, keys: hour, asks: 0, letters: 0 }))
  await pass()
  expect(told).toEqual([SAID])
  value(await store.prune({ attempts: hour, prompts: hour, buttons: hour, keys: hour, asks: 0, letters: 0 }))
  expect(value(await store.expiredPlans(now()))).toEqual([])
})

test('a message that Slack does not let us change is tried once, and the log says so', async () => {
  const { wait, pass, told, warned, slack } = await planned()
  slack.takes = false
  wait(70_000)
  await pass()
  await pass()
  expect(told).toHaveLength(1)
  expect(warned).toEqual(['an expired plan keeps its buttons'])
})

test('two passes at once are one, and after a stop nothing more is begun', async () => {
  const { wait, pass, told, stop, slack, say } = await planned()
  await say('/sglang restart qwen')
  wait(70_000)
  const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  slack.tell = () => {
    begun.resolve()
    return slow.promise
  }
  const both = [pass(), pass()]
  await begun.promise
  stop.abort()
  slow.resolve()
  await Promise.all(both)
  expect(told).toHaveLength(1)
})
