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
  /** look: answered at once · smoke: in a message that lives · restart: with a plan that somebody confirms */
  readonly sort: 'look' | 'smoke' | 'restart'
}

const CHANNELS = 100

/** People and channels, so many that each ask has a pair of its own. */
export function castFor(asks: number): Cast & { readonly operators: readonly string[] } {
  const people = Array.from({ length: Math.ceil(asks / CHANNELS) }, (_, at) =>
    person({ id: personId(at), name: `p${at}` }),
  )
  const channels = Array.from({ length: CHANNELS }, (_, at) => channel({ id: channelId(at), name: `c${at}` }))
  return { people, channels, operators: people.map(({ id }) => id), keep: asks * 20 }
}

function personId(at: number): string {
  return `U0CHAOS${at}`
}

function channelId(at: number): string {
  return `C0CHAOS${at}`
}

/**
 * The asks of one run. Slack takes about fifty changes of messages in a minute, so what lives in a message that changes,
 * a smoke or a restart, is asked now and then; what is answered at once makes up the rest.
 */
export function asksOf(count: number, seed: number): readonly Asked[] {
  const { below } = random(seed)
  return Array.from({ length: count }, (_, number) => {
    const where = { number, person: personId(Math.floor(number / CHANNELS)), channel: channelId(number % CHANNELS) }
    return { ...where, ...sortOf(number, below) }
  })
}

type Sort = Pick<Asked, 'how' | 'text' | 'sort'>

/** Smokes come in steps that meet no channel twice within 100 of them; restarts in turn on each server. */
const RARE = { slashSmoke: 149, mentionSmoke: 151, restart: 101 }
const SERVERS = ['qwen', 'qwen-059', 'looper', 'thinker'] as const

function sortOf(number: number, below: (limit: number) => number): Sort {
  if (number % RARE.slashSmoke === 3) return { how: 'slash', text: SMOKE, sort: 'smoke' }
  if (number % RARE.mentionSmoke === 5) return { how: 'mention', text: SMOKE, sort: 'smoke' }
  if (number % RARE.restart === 7) {
    const server = SERVERS[Math.floor(number / RARE.restart) % SERVERS.length] ?? 'qwen'
    return { how: 'mention', text: `sglang restart ${server}`, sort: 'restart' }
  }
  return COMMON[below(COMMON.length)] ?? { how: 'slash', text: 'whoami', sort: 'look' }
}

const SMOKE = 'smoke "Say hello" --target qwen'

const COMMON: readonly Sort[] = [
  { how: 'slash', text: 'whoami', sort: 'look' },
  { how: 'slash', text: 'no such command', sort: 'look' },
  { how: 'slash', text: 'access explain', sort: 'look' },
  { how: 'slash', text: 'sglang locks', sort: 'look' },
  { how: 'mention', text: 'whoami', sort: 'look' },
  { how: 'mention', text: 'no such command', sort: 'look' },
  { how: 'mention', text: 'access explain', sort: 'look' },
]
