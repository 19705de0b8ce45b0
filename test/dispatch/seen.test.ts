import { expect, test } from 'vitest'
import type { Conversation } from '../../src/domain/conversation.ts'
import { value } from '../contract/store.ts'
import { ANNA, BOB, changeHouse, GPU, OPS } from './change-house.ts'

type House = Awaited<ReturnType<typeof changeHouse>>

/** Asks where the bot may not post: what it says is seen by whoever asked alone. */
async function whispered({ house, store }: House, line: string) {
  const buttons = new Map<string, string>()
  const talk: Conversation = {
    to: { channel: GPU, thread: null },
    pressed: null,
    begin: async () => ({ place: { channel: GPU, thread: null }, message: null }),
    update() {},
    async end(report, offer) {
      for (const action of report.actions) buttons.set(action.label, (await offer(action)) ?? '')
      return null
    },
  }
  const said = { form: 'plain', word: 'sglang', text: line } as const
  const place = { channel: GPU, thread: null }
  await house.handle({ id: 'w', how: 'slash', said, person: ANNA, place, attempt: null, at: 0 }, talk)
  return {
    async press(label: string) {
      const button = value(await store.button(buttons.get(label) ?? ''))
      const ended: string[] = []
      const pressed: Conversation = {
        ...talk,
        async end({ title }) {
          ended.push(title)
          return null
        },
      }
      const text = button?.line ?? ''
      const ask = { id: 'p', how: 'button', said: { form: 'plain', word: null, text }, person: ANNA, place } as const
      await house.handle({ ...ask, attempt: null, at: 0 }, pressed)
      return ended[0]
    },
  }
}

const UNSEEN =
  'Nobody but you sees that plan, since Pilotflame may not post in this channel, so nothing was done. Next: let it in with /invite, then ask again.'

test('a plan that only its asker sees is confirmed by nobody, and may be cancelled', async () => {
  const house = await changeHouse()
  const plan = await whispered(house, 'restart qwen')
  expect(await plan.press('Restart qwen')).toBe(UNSEEN)
  expect(value(await house.store.audits(1))[0]?.result).toBe('confirm: not seen by the channel')
  expect(await plan.press('Cancel')).toBe('Restart qwen: cancelled by Anna (U0ANNA). Nothing was done.')
  expect(house.box.acts).toEqual([])
})

test('an approval that the channel never saw breaks no glass', async () => {
  const house = await changeHouse({ protected: true })
  await whispered(house, 'restart qwen')
  house.wait(301_000)
  const glass = await house.say('/sglang restart qwen --break-glass "nobody there"')
  expect(glass.answer()?.title).toMatch(/^Not done: no approval of “Restart qwen” was asked for here/)
})

test('an approval that was asked for in another channel breaks no glass', async () => {
  const { say, wait } = await changeHouse({ protected: true })
  await say('/sglang restart qwen', { place: { channel: OPS, thread: null } })
  wait(301_000)
  const line = '/sglang restart qwen --break-glass "nobody there"'
  expect((await say(line)).answer()?.title).toMatch(/^Not done: no approval/)
  expect((await say(line, { place: { channel: OPS, thread: null } })).answer()?.title).toMatch(/^BREAK GLASS/)
})

test.each([
  ['before its time is over', 299_000],
  ['after it', 301_000],
])('a no to an approval keeps the glass whole: %s', async (_when, ms) => {
  const { say, wait, press } = await changeHouse({ protected: true })
  const plan = await say('/sglang restart qwen')
  wait(ms)
  const no = await press(plan, 'Cancel', BOB)
  expect(no.answer()?.title).toBe('Restart qwen: cancelled by Bob (U0BOB). Nothing was done.')
  wait(2_000)
  expect((await say('/sglang restart qwen --break-glass "nobody there"')).answer()?.title).toMatch(
    /^Not done: no approval/,
  )
})

const GLASS = '/sglang restart qwen --break-glass "site down"'

test('a no to an older approval keeps the glass whole over a newer one, which a colleague may still approve', async () => {
  const { say, wait, press, box, told } = await changeHouse({ protected: true })
  const older = await say('/sglang restart qwen')
  wait(4 * 60_000)
  await say('/sglang restart qwen')
  wait(3 * 60_000)
  expect((await press(older, 'Cancel', BOB)).answer()?.title).toBe(
    'Restart qwen: cancelled by Bob (U0BOB). Nothing was done.',
  )
  wait(3 * 60_000)
  expect((await say(GLASS)).answer()?.title).toMatch(/^Not done: no approval/)
  expect(box.acts).toEqual([])
  // one that was asked for after the no, and left alone for five minutes
  const asked = await say('/sglang restart qwen')
  wait(5 * 60_000)
  const glass = await say(GLASS)
  expect((await press(glass, 'Restart qwen')).answer()?.status).toBe('done')
  expect(told(await press(asked, 'Approve: Restart qwen', BOB))).toContain('Anna (U0ANNA) pressed first')
  expect(box.acts).toHaveLength(1)
})

test('of two approvals one may be cancelled and the other approved', async () => {
  const { say, press, box } = await changeHouse({ protected: true })
  const [one, two] = [await say('/sglang restart qwen'), await say('/sglang restart qwen')]
  await press(one, 'Cancel', BOB)
  expect((await press(two, 'Approve: Restart qwen', BOB)).answer()?.status).toBe('done')
  expect(box.acts).toHaveLength(1)
})

test('a no to an older approval stops a glass that is being broken over a newer one', async () => {
  const { say, wait, press, box } = await changeHouse({ protected: true })
  const older = await say('/sglang restart qwen')
  await say('/sglang restart qwen')
  wait(301_000)
  const glass = await say(GLASS)
  await press(older, 'Cancel', BOB)
  expect((await press(glass, 'Restart qwen')).answer()?.title).toMatch(/^Not done: no approval/)
  expect(box.acts).toEqual([])
})

test('a no to a red plan counts although a newer approval was asked for meanwhile', async () => {
  const { say, wait, press, box } = await changeHouse({ protected: true })
  await say('/sglang restart qwen')
  wait(301_000)
  const red = await say(GLASS)
  wait(10_000)
  await say('/sglang restart qwen')
  const no = await press(red, 'Cancel', BOB)
  expect(no.answer()).toMatchObject({ title: 'Restart qwen: cancelled by Bob (U0BOB). Nothing was done.', summary: '' })
  wait(5 * 60_000)
  expect((await say(GLASS)).answer()?.title).toMatch(/^Not done: no approval/)
  expect(box.acts).toEqual([])
})

test('a no to a red plan counts also where its silence was ended before, and another approval asked for since', async () => {
  const { say, wait, press, box } = await changeHouse({ protected: true })
  await say('/sglang restart qwen')
  wait(301_000)
  const [red, other] = [await say(GLASS), await say(GLASS)]
  expect((await press(red, 'Restart qwen')).answer()?.status).toBe('done')
  await say('/sglang restart qwen')
  wait(1_000)
  expect((await press(other, 'Cancel', BOB)).answer()?.summary).toBe('')
  wait(5 * 60_000)
  expect((await say(GLASS)).answer()?.title).toMatch(/^Not done: no approval/)
  expect(box.acts).toHaveLength(1)
})

test('two broken glasses of one silence: one acts', async () => {
  const { say, wait, press, box } = await changeHouse({ protected: true })
  await say('/sglang restart qwen')
  wait(301_000)
  const line = '/sglang restart qwen --break-glass "site down"'
  const plans = [await say(line), await say(line, { person: BOB })] as const
  // the first one is done and nothing of it is seen in the state of the unit
  const { run, generation } = box.state
  expect((await press(plans[0], 'Restart qwen')).answer()?.status).toBe('done')
  Object.assign(box.state, { run, generation })
  expect((await press(plans[1], 'Restart qwen', BOB)).answer()?.title).toMatch(
    /^Not done: no approval of “Restart qwen”/,
  )
  expect(box.acts).toHaveLength(1)
})

test('an answer that comes while the glass is being broken keeps it whole', async () => {
  let meanwhile = false
  const house = await changeHouse({
    protected: true,
    records: (store) => ({
      ...store,
      async unanswered(...given) {
        const found = await store.unanswered(...given)
        if (meanwhile && found.ok && found.value !== null) value(await store.usePlan(found.value.id, BOB, 1))
        return found
      },
    }),
  })
  await house.say('/sglang restart qwen')
  house.wait(301_000)
  const plan = await house.say('/sglang restart qwen --break-glass "site down"')
  meanwhile = true
  const heard = await house.press(plan, 'Restart qwen')
  expect(heard.answer()?.title).toBe('Not done: somebody has answered meanwhile.')
  expect(house.box.acts).toEqual([])
})

test('a glass has one reason', async () => {
  const { say } = await changeHouse({ protected: true })
  const heard = await say('/sglang restart qwen --break-glass "A" --reason "B"')
  expect(heard.answer()?.title).toBe('--break-glass has the reason already. Next: leave --reason out.')
})
