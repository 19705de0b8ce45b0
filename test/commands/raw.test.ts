import { expect, test } from 'vitest'
import type { Store } from '../../src/domain/store.ts'
import { CHANNEL, openHouse, target } from './house.ts'

const roles = { admins: [], operators: [], adminGroups: [], operatorGroups: [] }
const THREAD = { channel: CHANNEL, thread: '1700000000.000100' }

/** The same store under a configuration whose channel may use these targets; none: all. */
function house(targets: readonly string[], records?: (store: Store) => Store) {
  const policy = { roles, channels: [{ id: CHANNEL, targets, target: null }] }
  return openHouse({
    policy,
    targets: [target('qwen'), target('llama')],
    ...(records === undefined ? {} : { records }),
  })
}

test('an attempt on a target that the channel may not use any more is not shown', async () => {
  const before = await house([])
  await before.say('/smoke "secret plan" --target llama')
  const raw = { how: 'mention', place: THREAD } as const
  expect((await before.say('raw', raw)).answer()?.title).toBe('Raw exchange of attempt 1 on llama')
  const after = await house(['qwen'], () => before.store)
  const heard = await after.say('raw', raw)
  expect(heard.answer()?.title).toMatch(/^That smoke was of a target that may not be used in this channel any more/)
  expect(JSON.stringify(heard.answer())).not.toMatch(/llama|secret plan/)
})

test('of a thread about several only those are offered that may still be used', async () => {
  const before = await house([])
  const names = ['qwen', 'llama']
  await before.say(`/smoke "Hi" on ${names.join(', ')}`)
  const raw = { how: 'mention', place: THREAD } as const
  expect((await before.say('raw', raw)).answer()?.actions.map(({ label }) => label)).toEqual(['llama', 'qwen'])
  const after = await house(['qwen'], () => before.store)
  const answer = (await after.say('raw', raw)).answer()
  expect(JSON.stringify(answer)).not.toContain('llama')
})
