import { expect, test } from 'vitest'
import { seedOf } from '../random.ts'
import { chaos } from './run.ts'
import { faultsOf, inWords } from './tally.ts'

// 2,000 asks to the bot as a process of its own, which is killed about every fiftieth ask (five times as many asks in `npm run
// soak -- chaos`), while envelopes come twice, late and out of order and calls fail in every way; the same to a bot that
// is made as Bolt's documentation shows it.
const STORM = { asks: 2000, seed: seedOf('CHAOS_SEED', 4), perSecond: 80, killEvery: 50 }

test('no ask is lost, no message stands twice, and no change is made twice, where the default client does all three', async () => {
  const [ours, control] = await Promise.all([
    chaos({ ...STORM, who: 'pilotflame' }),
    chaos({ ...STORM, who: 'default' }),
  ])
  process.stdout.write(`seed ${STORM.seed}\n${inWords('pilotflame', ours)}\n${inWords('Bolt’s default', control)}\n`)
  expect(faultsOf(ours)).toEqual([])
  expect(ours.asks).toBe(2000)
  expect(ours.kills).toBeGreaterThanOrEqual(30)
  expect(ours.confirmed).toBeGreaterThanOrEqual(20)
  expect(ours.deeds).toBeGreaterThanOrEqual(10)
  // their words are known
  expect(ours.apologies).toBeGreaterThan(0)
  expect(control.unanswered.length).toBeGreaterThan(0)
  expect(control.doubled.length).toBeGreaterThan(0)
}, 300_000)
