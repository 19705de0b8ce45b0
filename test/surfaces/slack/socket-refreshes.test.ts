import { expect, test } from 'vitest'
import type { Tally } from './refreshes.ts'
import { singleClient, throughRefreshes, twoSockets } from './refreshes.ts'

const PLAN = { commands: 200, everyMs: 100, refreshEvery: 12 }

test('200 commands at ten a second through refreshes of both connections: none lost, none doubled; the single client loses some', async () => {
  const ours = await twoSockets({ apartMs: 500 })
  const single = await singleClient()
  const [our, theirs] = await Promise.all([throughRefreshes(ours, PLAN), throughRefreshes(single, PLAN)])
  await Promise.all([ours.stop(), single.stop()])
  console.log(`two sockets: ${inWords(our)}\nBolt’s single client: ${inWords(theirs)}`)
  expect(our).toMatchObject({ given: 200, lost: 0, doubled: 0 })
  expect(our.refreshes).toBeGreaterThanOrEqual(10)
  expect(new Set(ours.ran).size).toBe(200)
  // otherwise this test proves nothing
  expect(theirs.lost).toBeGreaterThan(10)
  expect(theirs.doubled).toBeGreaterThan(0)
}, 60_000)

function inWords({ given, refreshes, lost, doubled }: Tally): string {
  return `${given} commands through ${refreshes} refreshes: ${lost} lost, ${doubled} doubled`
}
