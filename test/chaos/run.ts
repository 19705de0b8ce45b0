import { setTimeout as delay } from 'node:timers/promises'
import { startLab } from '../../src/lab/index.ts'
import { startSlack } from '../../src/lab/slack/index.ts'
import { asksOf, BENCH, castFor, UNFENCED, UNITS } from './asks.ts'
import { defaultBot, pilotflame } from './bot.ts'
import type { Storm } from './storm.ts'
import { storm } from './storm.ts'
import type { Tally } from './tally.ts'
import { tally } from './tally.ts'

export interface Chaos extends Pick<Storm, 'progress'> {
  readonly asks: number
  readonly seed: number
  readonly perSecond: number
  readonly killEvery: number
  /** ours, or the control */
  readonly who: 'pilotflame' | 'default'
}

/** An event that nobody acknowledged comes again after a minute, and once more after five. */
const REPEATED_MS = [61_000, 301_000] as const
/** The quiet time after a storm, at most; and after so many seconds without a word nothing more comes. */
const QUIET_MS = 120_000
const SILENT_S = 14

/** One storm over a bot of its own on a Slack of its own, and what it left after a quiet time. */
export async function chaos({ asks: count, seed, who, ...pace }: Chaos): Promise<Tally> {
  const asks = asksOf(count, seed)
  const cast = castFor(asks)
  let ahead = 0
  const clock = { now: () => Date.now() + ahead, monotonic: () => performance.now() }
  const slack = await startSlack({ port: 0, clock, ...cast })
  const lab = await startLab({ tokensPerSecond: 4000, names: [...UNITS, BENCH], unfenced: UNFENCED })
  const bot = await (who === 'pilotflame' ? pilotflame(slack, lab, cast.operators) : defaultBot(slack))
  try {
    // an orderly end fills the compile cache
    await bot.start()
    await bot.end('SIGTERM')
    await bot.start()
    const wreck = await storm({ ...pace, slack, bot, asks, seed })
    for (const ms of REPEATED_MS) {
      ahead += ms
      slack.tick()
    }
    return await settled(() => tally(wreck, slack, bot))
  } finally {
    await bot.close()
    await lab.close()
    await slack.close()
  }
}

/** Waits until nothing is left to be said, or nobody says anything new any more. */
async function settled(look: () => Promise<Tally>): Promise<Tally> {
  const from = performance.now()
  let [seen, before, same] = [await look(), '', 0]
  while (isLeft(seen) && same < SILENT_S && performance.now() - from < QUIET_MS) {
    await delay(1000)
    seen = await look()
    const now = JSON.stringify(seen)
    same = now === before ? same + 1 : 0
    before = now
  }
  return seen
}

function isLeft({ unanswered, unended }: Tally): boolean {
  return unanswered.length + unended.length > 0
}
