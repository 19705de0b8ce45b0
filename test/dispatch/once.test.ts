import { expect, test } from 'vitest'
import { value } from '../contract/store.ts'
import { BOB, changeHouse } from './change-house.ts'

test('a question is answered once, by somebody who may; a refused press leaves it to them', async () => {
  const { say, store, wait } = await changeHouse()
  const asked = await say('/smoke "Say hello"')
  const id = asked.buttons.get('qwen') ?? ''
  const button = value(await store.button(id))
  expect(button?.once).toBe(true)
  const press = (how: Parameters<typeof say>[1]) => say(button?.line ?? '', { how: 'button', once: id, ...how })
  const guest = await press({ person: { ...BOB, kind: 'guest' } })
  expect(guest.answer()?.title).toMatch(/^Not run: guests/)
  const both = await Promise.all([press({}), press({ person: BOB })])
  expect(both.map((one) => one.answer()?.status).toSorted()).toEqual(['healthy', 'refused'])
  // however long after
  wait(6 * 86_400_000)
  value(await store.prune({ prompts: 0, attempts: 0, buttons: 0, keys: 2_000_000_000_000, asks: 0, letters: 0 }))
  const late = await press({})
  expect(late.answer()?.title).toBe('That question was answered already; nothing was run. Next: ask again.')
  expect(value(await store.audits(1))).toMatchObject([{ decision: 'refused', result: 'button used' }])
})
