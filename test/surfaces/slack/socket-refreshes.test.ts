import { expect, test } from 'vitest'
import { singleClient, throughRefreshes, twoSockets } from './refreshes.ts'

test('60 commands through refreshes of both connections: none lost, none doubled; the single client loses some', async () => {
  const ours = await twoSockets({ apartMs: 500 })
  const single = await singleClient()
  const plan = { commands: 60, everyMs: 50, refreshEvery: 6 }
  const [our, theirs] = await Promise.all([throughRefreshes(ours, plan), throughRefreshes(single, plan)])
  await Promise.all([ours.stop(), single.stop()])
  expect(our).toMatchObject({ given: 60, lost: 0, doubled: 0 })
  expect(our.refreshes).toBeGreaterThanOrEqual(4)
  expect(new Set(ours.ran).size).toBe(60)
  // otherwise this test proves nothing
  expect(theirs.lost).toBeGreaterThan(10)
  expect(theirs.doubled).toBeGreaterThan(0)
}, 20_000)
