import { expect, test } from 'vitest'
import { once } from '../../src/app/once.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import { recordingLog, startBot } from '../surfaces/slack/harness.ts'

const FULL = { kind: 'store', thing: 'the store', observed: 'disk is full', next: 'make room' } as const
const broken = async () => failed<boolean>(FULL)
const BROKEN = {
  claim: broken,
  keepAsk: async () => failed<null>(FULL),
  settle: async () => failed<null>(FULL),
}
const MINUTE = 60_000

function started(store: Parameters<typeof once>[0] = BROKEN) {
  let now = 0
  const log = recordingLog()
  const clock = { now: () => now, monotonic: () => now }
  function pass(ms: number): void {
    now += ms
  }
  return { ...once(store, clock, log), log, pass }
}

test('a store that fails: one mention, which is two events, is one ask; so is what comes again', async () => {
  const clock = { now: () => Date.now(), monotonic: () => performance.now() }
  await using bot = await startBot(async () => {}, once(BROKEN, clock, recordingLog()))
  bot.slack.mention('smoke hello')
  await bot.until(() => bot.asks.length > 0)
  await bot.slack.resend(2, true)
  await bot.slack.resend(2, false)
  await bot.slack.slash('/smoke', 'other')
  await bot.until(() => bot.asks.some(({ how }) => how === 'slash'))
  expect(bot.asks.map(({ how }) => how)).toEqual(['mention', 'slash'])
})

test('where the store fails, a key counts once within 15 minutes, whichever of them comes again', async () => {
  const { claim, log, pass } = started()
  expect(await Promise.all([claim(['a', 'b']), claim(['b', 'c'])])).toEqual([true, false])
  expect(await claim(['c'])).toBe(false)
  expect(await claim(['d'])).toBe(true)
  expect(log.lines.map(({ level }) => level)).toEqual(['error', 'error'])
  pass(14 * MINUTE)
  expect(await claim(['a'])).toBe(false)
  pass(MINUTE)
  expect(await claim(['a'])).toBe(true)
})

test('of 10,001 keys the oldest is forgotten, the others are not', async () => {
  const { claim } = started()
  for (let n = 0; n <= 10_000; n += 1) await claim([`${n}`])
  expect(await claim(['1'])).toBe(false)
  expect(await claim(['10000'])).toBe(false)
  expect(await claim(['0'])).toBe(true)
})

test('what the store knows of an earlier process is not new', async () => {
  const no = async () => ok(false)
  const { claim } = started({
    claim: no,
    keepAsk: async () => ok(null),
    settle: async () => ok(null),
  })
  expect(await claim(['a'])).toBe(false)
})
