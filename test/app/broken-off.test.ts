import { expect, test } from 'vitest'
import type { Opened } from '../../src/domain/conversation.ts'
import { value } from '../contract/store.ts'
import { ANNA, BOB, GPU } from '../dispatch/change-house.ts'
import { planned } from './planned.ts'

const BROKEN_OFF =
  '1700000001.000200 | Restart qwen: Anna (U0ANNA) pressed, and Pilotflame was interrupted in that moment. Nothing was done. | Asked by Anna (U0ANNA). Reason: “new weights”. | Next: where it is still wanted, ask again: /sglang restart --target qwen --reason "new weights" | 0'

test.each([
  ['Restart qwen', 'confirmed'],
  ['Cancel', 'cancelled'],
])(
  'a process that ends at a press (%s) before anything tells of it: 5 s later the message does',
  async (label, line) => {
    const died = Promise.withResolvers<void>()
    const { wait, pass, told, press, plan, store, box } = await planned({
      records: (real) => ({
        ...real,
        addAudit(audit) {
          if (audit.result !== line) return real.addAudit(audit)
          died.resolve()
          return new Promise(() => {})
        },
      }),
    })
    void press(plan, label)
    await died.promise
    expect(value(await store.openRuns())).toEqual([])
    wait(5_000)
    await pass()
    expect(told).toEqual([])
    wait(1)
    await pass()
    await pass()
    expect(told).toEqual([BROKEN_OFF])
    expect(box.acts).toEqual([])
  },
)

test('a press of this very process is never called broken off, however long it takes until something tells of it', async () => {
  const slow = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { wait, pass, told, press, plan, box } = await planned({
    since: 0,
    records: (real) => ({
      ...real,
      async addAudit(audit) {
        if (audit.result === 'confirmed') {
          begun.resolve()
          await slow.promise
        }
        return real.addAudit(audit)
      },
    }),
  })
  const pressed = press(plan, 'Restart qwen')
  await begun.promise
  wait(30_000)
  await pass()
  slow.resolve()
  await pressed
  await pass()
  expect(told).toEqual([])
  expect(box.acts).toHaveLength(1)
})

test('an approval that was broken off in time says so too', async () => {
  const { wait, pass, told, store, plan, now } = await planned({ protected: true })
  const id = /^cancel (.*)$/.exec(value(await store.button(plan.buttons.get('Cancel') ?? ''))?.line ?? '')?.[1] ?? ''
  value(await store.usePlan(id, BOB, now()))
  wait(5_001)
  await pass()
  expect(told).toEqual([BROKEN_OFF.replace('Anna (U0ANNA) pressed', 'Bob (U0BOB) pressed')])
})

test.each([
  ['Restart qwen', ANNA],
  ['Cancel', BOB],
])('while the message of a press (%s) is on its way into a slow Slack, it is left alone', async (label, by) => {
  const { wait, pass, told, plan, start, store } = await planned()
  const line = value(await store.button(plan.buttons.get(label) ?? ''))?.line ?? ''
  const slow = Promise.withResolvers<Opened>()
  const begun = Promise.withResolvers<void>()
  const place = { channel: GPU, thread: 'plan' }
  const { done } = start(line, { how: 'button', place, person: by }, () => {
    begun.resolve()
    return slow.promise
  })
  await begun.promise
  wait(59_000)
  await pass()
  expect(told).toEqual([])
  slow.resolve({ place, message: 'plan' })
  await done
})
