import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { offersOf } from '../../src/dispatch/offers.ts'
import { silent } from '../adapters/http-server.ts'
import { value } from '../contract/value.ts'

const REST = { title: 'The rest', tables: [{ title: 'Hosts', columns: ['Name'], rows: [['gpu1 hunter2']] }] }
const DAY = 86_400_000

async function offering(keepPromptsMs: number) {
  const store = value(await openStore({ path: ':memory:', redact: String }))
  onTestFinished(() => store.close())
  let ids = 0
  const house = {
    store,
    keepPromptsMs,
    clock: { now: () => 1000, monotonic: () => 1000 },
    log: silent,
    newId: () => `n${++ids}`,
    redact: (text: string) => text.replaceAll('hunter2', '[hidden]'),
  }
  const offer = offersOf({ place: { channel: 'C1', thread: null } }, house, () => null)
  return { store, offer }
}

test('what an action reveals is kept as long as prompts are, without secrets, behind one line', async () => {
  const { store, offer } = await offering(DAY)
  const id = await offer({ line: '', reveals: REST })
  expect(await offer({ line: '', reveals: structuredClone(REST) })).toBe(id)
  const button = value(await store.button(id ?? ''))
  expect(button).toMatchObject({ line: 'more n1', once: false, expires: 1000 + DAY })
  const page = value(await store.page('n1'))
  expect(page?.report.tables[0]?.rows).toEqual([['gpu1 [hidden]']])
  expect(page?.expires).toBe(1000 + DAY)
})

test('two actions that reveal different things get a button each', async () => {
  const { offer } = await offering(DAY)
  const [one, two] = [
    await offer({ line: '', reveals: REST }),
    await offer({ line: '', reveals: { ...REST, title: 'More' } }),
  ]
  expect(one).not.toBe(two)
})

test('a button of a week lives a week where prompts are kept longer, and none is made where none are kept', async () => {
  const { store, offer } = await offering(30 * DAY)
  const week = value(await store.button((await offer({ line: '', reveals: REST })) ?? ''))
  expect(week?.expires).toBe(1000 + 7 * DAY)
  expect(await (await offering(0)).offer({ line: '', reveals: REST })).toBeNull()
})

test('a line with a secret gets no button, and the same line gets one button', async () => {
  const { offer } = await offering(DAY)
  expect(await offer({ line: 'smoke "hunter2"' })).toBeNull()
  expect(await offer({ line: 'retry' })).toBe(await offer({ line: 'retry' }))
})
