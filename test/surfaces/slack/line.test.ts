import { expect, onTestFinished, test } from 'vitest'
import { openWire } from '../../../src/adapters/http-web-socket.ts'
import type { OpenWire } from '../../../src/domain/ports.ts'
import { line } from '../../../src/surfaces/slack/line.ts'
import type { Over } from '../../../src/surfaces/slack/link.ts'
import { recordingLog } from './harness.ts'
import { SHORT, startPair } from './pair.ts'

const clock = { now: () => Date.now(), monotonic: () => performance.now() }

/** A line whose connections are greeted and over at once; the moments of its first dials. */
async function storm(over: Over, dials: number): Promise<readonly number[]> {
  const at: number[] = []
  const ended = Promise.resolve('said' as const)
  const enough = Promise.withResolvers<void>()
  const one = line({
    ...SHORT,
    firstWaitMs: 40,
    longestWaitMs: 90,
    async dial() {
      at.push(performance.now())
      if (at.length === dials) enough.resolve()
      return { ok: true, link: { counted: null, over: Promise.resolve(over), ended, isOpen: () => false, close() {} } }
    },
    room: () => 0,
    onOpen() {},
    onFail() {},
    onOver() {},
    clock,
    log: recordingLog(),
  })
  onTestFinished(one.close)
  await enough.promise
  return at
}

test.each<Over>([
  { how: 'ended', end: 'said' },
  { how: 'ended', end: 'lost' },
  { how: 'asked', reason: 'refresh_requested' },
])(
  'a connection that is over at once (%j) is not opened in a storm: each wait is longer, up to the longest',
  async (over) => {
    const at = await storm(over, 6)
    const waits = at.slice(1).map((moment, n) => moment - (at[n] ?? 0))
    // half of 40, 60, 90, 90 and 90 ms; a timer may be a millisecond early
    for (const [n, least] of [20, 30, 45, 45, 45].entries()) expect(waits[n]).toBeGreaterThanOrEqual(least - 1)
  },
)

const APART_MS = 400

/** A pair, and the moments at which it opened connections. */
async function staggered() {
  const at: number[] = []
  const open: OpenWire = (request) => {
    at.push(performance.now())
    return openWire(request)
  }
  const bot = await startPair({ openWire: open, times: { ...SHORT, apartMs: APART_MS } })
  return { bot, at }
}

test('the second connection is opened so much later than the first', async () => {
  const { bot, at } = await staggered()
  await using _ = bot
  expect(at).toHaveLength(2)
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(APART_MS)
})

test('a connection that broke is not opened again until the other one is so old; one that Slack renews is, at once', async () => {
  const { bot, at } = await staggered()
  await using _ = bot
  bot.slack.disconnect('drop', 0)
  await bot.slack.until(() => bot.slack.connections() === 2)
  expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThanOrEqual(APART_MS)
  const from = performance.now()
  bot.slack.disconnect('refresh_requested', 0)
  await bot.slack.until(() => bot.slack.connections() === 2)
  expect((at[3] ?? 0) - from).toBeLessThan(APART_MS / 2)
})
