import { expect } from 'vitest'
import { test } from './far-test.ts'

test.for(['loop-1', 'loop-7', 'loop-7-letters', 'loop-19', 'loop-40', 'loop-40-letters', 'loop-in-reasoning'] as const)(
  '%s is cut within 200 tokens',
  async (model, { serve, house, skip }) => {
    const server = await serve(model, 'lifelike')
    // at full speed the engine is thousands of tokens ahead of any client
    skip(!server.paced, 'far side: no lifelike pace, since cgroups are not writable here')
    let pieces = 0
    const onPiece = () => {
      pieces += 1
    }
    const { smoke } = await house.smoke(server.url, { onPiece })
    expect(smoke?.cut).toMatchObject({ certain: true })
    expect(pieces).toBeLessThanOrEqual(200)
    await expect.poll(server.busy).toBe(0)
    expect(await server.decoded()).toBeLessThanOrEqual(200)
  },
)

test('the slot of the engine is free within 100 ms of an abort', async ({ serve, house }) => {
  const server = await serve('overthink', 'lifelike')
  const stop = new AbortController()
  let pieces = 0
  let aborted = 0
  const onPiece = () => {
    pieces += 1
    if (pieces !== 20) return
    aborted = performance.now()
    stop.abort()
  }
  const { smoke } = await house.smoke(server.url, { onPiece, signal: stop.signal })
  while ((await server.busy()) > 0);
  expect(performance.now() - aborted).toBeLessThan(100)
  expect(smoke?.failure).toMatchObject({ kind: 'stopped' })
  expect(smoke?.completion?.reasoning?.length).toBeGreaterThan(20)
})
