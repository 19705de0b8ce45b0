import { expect, test } from 'vitest'
import { failed } from '../../src/domain/outcome.ts'
import { value } from '../contract/store.ts'
import { ANNA, BOB } from '../dispatch/change-house.ts'
import { planned } from './planned.ts'

const FULL = { kind: 'store', thing: 'store x', observed: 'the disk is full', next: 'free some space' } as const

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

const GLASS = '/sglang restart qwen --break-glass "site down"'

test('an approval that nobody answered keeps a no for as long as the glass may be broken, and loses it then', async () => {
  const { wait, pass, told, buttons, say, now } = await planned({ protected: true })
  const asked = now()
  wait(305_001)
  await pass()
  expect(told).toEqual([
    '1700000001.000200 | Restart qwen: expired, since nobody approved it within 5 min. Nothing was done. | Asked by Anna (U0ANNA). Reason: “new weights”. | Next: where it is still wanted, ask again: /sglang restart --target qwen --reason "new weights". Where it cannot wait for a second person, until 22:43:20 UTC: /sglang restart --target qwen --break-glass "REASON". “Say no” forbids that. | 2',
  ])
  expect(buttons[0]).toEqual([
    'New plan: sglang restart --target qwen --reason "new weights"',
    expect.stringMatching(/^Say no: cancel [\w-]+$/),
  ])
  wait(asked + 30 * 60_000 - now())
  await pass()
  expect(told).toHaveLength(1)
  expect((await say(GLASS, { person: BOB })).answer()?.title).toMatch(/^BREAK GLASS/)
  wait(1)
  await pass()
  expect(buttons.slice(1)).toEqual([[]])
  expect((await say(GLASS, { person: BOB })).answer()?.title).toMatch(/^Not done: no approval/)
  await pass()
  expect(told).toHaveLength(2)
})

test('a no that is pressed after five minutes keeps the glass whole, and its message is left alone', async () => {
  const { wait, pass, told, press, plan, say } = await planned({ protected: true })
  wait(305_001)
  await pass()
  expect((await press(plan, 'Cancel', BOB)).answer()?.title).toBe(
    'Restart qwen: cancelled by Bob (U0BOB). Nothing was done.',
  )
  expect((await say(GLASS)).answer()?.title).toMatch(/^Not done: no approval/)
  wait(3_600_000)
  await pass()
  expect(told).toHaveLength(1)
})

test('a no that comes while Slack is told of the silence leaves no button', async () => {
  const { wait, pass, told, buttons, press, plan, slack } = await planned({ protected: true })
  wait(305_001)
  slack.tell = async () => {
    slack.tell = async () => {}
    await press(plan, 'Cancel', BOB)
  }
  await pass()
  expect(told[1]).toContain('Restart qwen: this plan did nothing. Bob (U0BOB) ended the wait for an approval.')
  expect(buttons[1]).toEqual([])
  await pass()
  expect(told).toHaveLength(2)
})

test('an approval that was pressed too late leaves the no, and the pass takes it away in the end', async () => {
  const { wait, pass, told, buttons, press, plan, say } = await planned({ protected: true })
  wait(301_000)
  const late = await press(plan, 'Approve: Restart qwen', BOB)
  expect(late.answer()?.title).toContain('too late, the plan has expired')
  expect([...late.buttons.keys()]).toEqual(['New plan', 'Say no'])
  await press(late, 'Say no', BOB)
  expect((await say(GLASS)).answer()?.title).toMatch(/^Not done: no approval/)
  wait(3_600_000)
  await pass()
  expect([told, buttons]).toEqual([[], []])
})

test.each([
  ['broken', 'Restart qwen', 'done', /^Not done: no approval/],
  ['refused by a colleague', 'Cancel', 'done', /^Not done: no approval/],
])(
  'once the glass is %s, the approval has no button left, and nobody breaks it again',
  async (_, label, status, no) => {
    const { wait, pass, told, buttons, press, say, box } = await planned({ protected: true })
    wait(305_001)
    await pass()
    const by = label === 'Cancel' ? BOB : ANNA
    expect((await press(await say(GLASS), label, by)).answer()?.status).toBe(status)
    expect((await say(GLASS)).answer()?.title).toMatch(no)
    wait(5_001)
    await pass()
    await pass()
    expect(told.slice(1)).toEqual([
      `1700000001.000200 | Restart qwen: this plan did nothing. ${by.name} (${by.id}) ended the wait for an approval. | Asked by Anna (U0ANNA). Reason: “new weights”. | Where something was done instead, a later message of this channel says so. | 0`,
    ])
    expect(buttons.at(-1)).toEqual([])
    expect(box.acts).toHaveLength(label === 'Cancel' ? 0 : 1)
  },
)

test('a no to an older approval takes the glass and its no out of the message of a newer one', async () => {
  const { wait, pass, told, buttons, press, plan, say } = await planned({ protected: true })
  await say('/sglang restart qwen')
  wait(305_001)
  await pass()
  expect(buttons.map((all) => all.length)).toEqual([2, 2])
  await press(plan, 'Cancel', BOB)
  await pass()
  expect(buttons.slice(2)).toEqual([[]])
  // the newer one has no reason
  expect(told[2]).toMatch(/ \| Asked by Anna \(U0ANNA\)\. \| Next: .* ask again: \/sglang restart --target qwen \| 0$/)
  // its own is not asked for again
  wait(3_600_000)
  await pass()
  expect(told).toHaveLength(3)
})

test('a no to a broken glass that cannot be recorded says so', async () => {
  let full = false
  const house = await planned({
    protected: true,
    records: (store) => ({
      ...store,
      refusePlan: async (...given) => (full ? failed(FULL) : store.refusePlan(...given)),
    }),
  })
  house.wait(301_000)
  const glass = await house.say(GLASS)
  full = true
  expect((await house.press(glass, 'Cancel', BOB)).answer()).toMatchObject({
    title: 'Restart qwen: cancelled by Bob (U0BOB). Nothing was done.',
    summary: expect.stringMatching(/^This no could not be recorded.*Next: a lock/),
  })
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
