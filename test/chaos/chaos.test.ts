import { expect, test } from 'vitest'
import { chaos } from './run.ts'
import { inWords } from './tally.ts'

// 2,000 asks to the bot as a process of its own, which is killed about every fiftieth ask (five times as many asks in `npm run
// soak -- chaos`), while envelopes come twice, late and out of order and calls fail in every way; the same to a bot that
// is made as Bolt's documentation shows it.
const STORM = { asks: 2000, seed: Number(process.env['CHAOS_SEED'] ?? 4), perSecond: 60, killEvery: 50 }

test('no ask is lost, no message stands twice, and no change is made twice, where the default client does all three', async () => {
  const [ours, control] = await Promise.all([
    chaos({ ...STORM, who: 'pilotflame' }),
    chaos({ ...STORM, who: 'default' }),
  ])
  process.stdout.write(`seed ${STORM.seed}\n${inWords('pilotflame', ours)}\n${inWords('Bolt’s default', control)}\n`)
  expect(ours).toMatchObject({ asks: 2000, unanswered: [], doubled: [], unended: [], twice: [] })
  expect(ours.kills).toBeGreaterThan(10)
  expect(ours.deeds).toBeGreaterThan(5)
  expect(ours.deeds).toBeLessThanOrEqual(ours.confirmed)
  expect(control.unanswered.length).toBeGreaterThan(0)
  expect(control.doubled.length).toBeGreaterThan(0)
}, 180_000)
