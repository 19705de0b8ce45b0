import { channel, person } from '../../src/lab/slack/cast.ts'
import type { Cast } from '../../src/lab/slack/world.ts'
import { random } from '../random.ts'

/** What somebody asks; where and by whom it is asked is asked there by nobody else, so that its answers are known. */
export interface Asked {
  readonly number: number
  readonly how: 'slash' | 'mention'
  /** without the mention; `/pilotflame` is the command of a slash */
  readonly text: string
  readonly person: string
  readonly channel: string
  readonly sort: Sort
}

/**
 * look: answered at once, in one message · smoke: in a message that lives, then with details · several: the same, with
 * details of several messages · restart: with a plan that its author confirms
 */
export type Sort = 'look' | 'smoke' | 'several' | 'restart'

/** Units that are restarted. The box guards the first half with its fence; of the others each wish is done as often as it comes. */
export const UNITS = Array.from({ length: 16 }, (_, at) => `unit-${at}`)
export const UNFENCED = UNITS.slice(UNITS.length / 2)
/** A target that people lock and unlock, and nobody restarts. */
export const BENCH = 'bench'

const CHANNELS = 100

/**
 * Every so manieth ask is a rare one, in a channel of its own. Slack takes about fifty changes of messages in a minute: what
 * lives in a message that changes cannot be asked more often.
 */
const RARE: readonly (Pick<Asked, 'how' | 'sort'> & {
  readonly every: number
  readonly text: (at: number) => string
})[] = [
  {
    every: 41,
    how: 'mention',
    sort: 'restart',
    text: (at) => `sglang restart ${unitOf(at)} --force --reason "${nameOf(at)}"`,
  },
  { every: 331, how: 'slash', sort: 'smoke', text: () => 'smoke "Say hello" --target qwen' },
  { every: 241, how: 'mention', sort: 'smoke', text: () => 'smoke "Say hello" --target qwen' },
  { every: 499, how: 'mention', sort: 'several', text: () => 'smoke "Say hello" on qwen, qwen-059, looper, thinker' },
  { every: 223, how: 'mention', sort: 'look', text: (at) => `sglang lock ${BENCH} ${nameOf(at)}` },
  { every: 227, how: 'mention', sort: 'look', text: () => `sglang unlock ${BENCH}` },
]
/** The first rare ones come early. */
const FIRST = 7

/** The reason that an ask for a change is given, by which what was done is known again. */
export function nameOf(number: number): string {
  return `ask ${number}`
}

function unitOf(number: number): string {
  const [rare] = RARE
  return UNITS[Math.floor(number / (rare?.every ?? 1)) % UNITS.length] ?? BENCH
}

/** People and channels, so many that each ask has a pair of its own. */
export function castFor(asks: readonly Asked[]): Cast & { readonly operators: readonly string[] } {
  const operators = [...new Set(asks.map((one) => one.person))]
  const people = operators.map((id) => person({ id, name: id.toLowerCase() }))
  const ids = new Set(asks.map((one) => one.channel))
  const channels = [...ids].map((id) => channel({ id, name: id.toLowerCase() }))
  return { people, channels, operators, keep: asks.length * 20 }
}

/** The asks of one run. */
export function asksOf(count: number, seed: number): readonly Asked[] {
  const { pick } = random(seed)
  return Array.from({ length: count }, (_, number) => {
    const author = `U0CHAOS${Math.floor(number / CHANNELS)}`
    const rare = RARE.find(({ every }) => number % every === FIRST)
    if (rare !== undefined) {
      const { how, sort, text } = rare
      return { number, how, sort, text: text(number), person: author, channel: `C0CHAOSR${number}` }
    }
    const { how, text } = pick(COMMON) ?? { how: 'slash', text: 'whoami' }
    return { number, how, text, sort: 'look', person: author, channel: `C0CHAOS${number % CHANNELS}` }
  })
}

const COMMON: readonly Pick<Asked, 'how' | 'text'>[] = [
  { how: 'slash', text: 'whoami' },
  { how: 'slash', text: 'no such command' },
  { how: 'slash', text: 'access explain' },
  { how: 'slash', text: 'sglang locks' },
  { how: 'mention', text: 'whoami' },
  { how: 'mention', text: 'no such command' },
  { how: 'mention', text: 'access explain' },
]
