import type { random } from '../random.ts'
import type { Bot } from './bot.ts'

/** The signal, the end of the process, and the first connection of the next one, in epoch ms. */
export interface Kill {
  readonly at: number
  readonly gone: number
  readonly back: number
}

/** Ends the bot again and again, and starts it anew. */
export interface Reaper {
  readonly kills: readonly Kill[]
  /** stops by SIGTERM that had not ended after twenty seconds */
  hung(): number
  /** Counts an ask. Where it is time, ends the bot; resolves once it is connected again. */
  count(): Promise<void> | null
  /** Asks in a second from now on, of so many at best. */
  pace(perSecond: number): number
}

/** Asks in a second while nobody is there. */
export const IN_THE_DARK = 10
/** After every so manieth kill the bot is left alone for longer than Slack waits, at half the pace: no kill excuses anything then. */
const CALM = { every: 8, asks: 3 }
/** Every so manieth end of the bot is an orderly one. */
const ORDERLY = 10

/** `every`: after so many asks, more or less. */
export function createReaper(bot: Bot, every: number, chance: ReturnType<typeof random>): Reaper {
  const kills: Kill[] = []
  let [begun, hung, left, isUp, isCalm] = [0, 0, every, true, false]

  async function kill(): Promise<void> {
    isUp = false
    const at = Date.now()
    if (!(await bot.end(begun % ORDERLY === 0 ? 'SIGTERM' : 'SIGKILL'))) hung += 1
    const gone = Date.now()
    await bot.start()
    kills.push({ at, gone, back: Date.now() })
    isUp = true
  }

  return {
    kills,
    hung: () => hung,
    count() {
      left -= 1
      if (left > 0 || !isUp) return null
      begun += 1
      isCalm = begun % CALM.every === 1
      left = Math.round(every * (isCalm ? CALM.asks : 0.3 + chance.below(800) / 1000))
      return kill()
    },
    pace(perSecond) {
      if (!isUp) return IN_THE_DARK
      return isCalm ? perSecond / 2 : perSecond
    },
  }
}
