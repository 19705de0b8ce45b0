import type { Clock } from '../../domain/ports.ts'
import type { Fields } from './json.ts'

export interface Person {
  readonly id: string
  readonly name: string
  readonly realName: string
  readonly admin: boolean
  readonly bot: boolean
  /** a guest of the workspace */
  readonly guest: boolean
}

export interface Channel {
  readonly id: string
  readonly name: string
  /** whether the bot was invited */
  readonly member: boolean
  /** whether people of another organisation are in it (Slack Connect) */
  readonly shared: boolean
}

export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly bytes: Buffer
}

/** A message as Slack keeps it. `text` is mrkdwn with `&amp; &lt; &gt;` and `<…>` tokens. */
export interface Message {
  readonly ts: string
  readonly channel: string
  readonly user: string
  readonly text: string
  readonly blocks: readonly Fields[]
  /** ts of the thread's first message; null for that one itself and outside threads */
  readonly thread: string | null
  /** who alone sees it; null for everybody */
  readonly onlyFor: string | null
  readonly files: readonly StoredFile[]
  readonly reactions: readonly string[]
  readonly metadata: unknown
}

export type Draft = Pick<Message, 'channel' | 'user' | 'text'> & Partial<Omit<Message, 'ts'>>
export type Change = { readonly kind: 'put' | 'gone'; readonly message: Message; readonly before: Message | null }

/** Everything that a workspace remembers. Kept in memory; the oldest messages go first. */
export interface World {
  readonly team: string
  readonly app: string
  readonly bot: Person
  readonly people: readonly Person[]
  readonly channels: readonly Channel[]
  readonly files: Map<string, StoredFile>
  readonly views: Map<string, Fields>
  now(): number
  /** A new `1700000000.000100`: the wall clock, always growing. */
  stamp(): string
  /** A new id that nobody can guess, such as `F0…`. */
  id(prefix: string): string
  messages(): readonly Message[]
  find(channel: string, ts: string): Message | null
  post(draft: Draft): Message
  change(message: Message, to: Partial<Message>): Message
  remove(message: Message): void
  /** Tells every change from now on. Gives the way to stop. */
  watch(listener: (change: Change) => void): () => void
}

const KEPT_MESSAGES = 2_000

const BOT: Person = { id: 'U0PILOT', name: 'pilotflame', realName: 'Pilotflame', admin: false, bot: true, guest: false }

/** Who sits at the console page. */
export const VIEWER: Person = { id: 'U0ANNA', name: 'anna', realName: 'Anna', admin: true, bot: false, guest: false }

const PEOPLE: readonly Person[] = [
  VIEWER,
  { id: 'U0BEN', name: 'ben', realName: 'Ben', admin: false, bot: false, guest: false },
  { id: 'U0GUEST', name: 'gil', realName: 'Gil (guest)', admin: false, bot: false, guest: true },
  BOT,
  { id: 'USLACKBOT', name: 'slackbot', realName: 'Slackbot', admin: false, bot: true, guest: false },
]

const CHANNELS: readonly Channel[] = [
  { id: 'C0GPU', name: 'gpu', member: true, shared: false },
  { id: 'C0QUIET', name: 'quiet', member: false, shared: false },
  { id: 'C0SHARED', name: 'partners', member: true, shared: true },
]

export function createWorld(clock: Pick<Clock, 'now'>): World {
  const kept = new Map<string, Message>()
  const listeners = new Set<(change: Change) => void>()
  let last = 0
  const tell = (change: Change) => {
    for (const listener of listeners) listener(change)
  }
  const stamp = () => {
    last = Math.max(last + 1, clock.now() * 1000)
    return `${Math.floor(last / 1_000_000)}.${String(last % 1_000_000).padStart(6, '0')}`
  }
  return {
    team: 'T0DEMO',
    app: 'A0PILOT',
    bot: BOT,
    people: PEOPLE,
    channels: CHANNELS,
    files: new Map(),
    views: new Map(),
    now: () => clock.now(),
    stamp,
    id: (prefix) => `${prefix}${crypto.randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`,
    messages: () => [...kept.values()],
    find(channel, ts) {
      const message = kept.get(ts)
      return message?.channel === channel ? message : null
    },
    post(draft) {
      const message: Message = { ...EMPTY, ...draft, ts: stamp() }
      kept.set(message.ts, message)
      forgetOldest(kept)
      tell({ kind: 'put', message, before: null })
      return message
    },
    change(message, to) {
      const changed: Message = { ...message, ...to, ts: message.ts }
      kept.set(changed.ts, changed)
      tell({ kind: 'put', message: changed, before: message })
      return changed
    },
    remove(message) {
      if (kept.delete(message.ts)) tell({ kind: 'gone', message, before: message })
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const EMPTY = {
  blocks: [],
  thread: null,
  onlyFor: null,
  files: [],
  reactions: [],
  metadata: null,
} as const

function forgetOldest(kept: Map<string, Message>) {
  const oldest = kept.keys().next()
  if (kept.size > KEPT_MESSAGES && !oldest.done) kept.delete(oldest.value)
}
