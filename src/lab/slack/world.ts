import type { Clock } from '../../domain/ports.ts'
import { createArchive } from './archive.ts'
import type { Channel, Group, Person } from './cast.ts'
import { BOT, CHANNELS, GROUPS, PEOPLE, TEAM } from './cast.ts'
import type { Fields } from './json.ts'

export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly bytes: Buffer
  /** `text/plain` where nothing else is said */
  readonly type?: string
  /** where its bytes are said to be, in the place of Slack's own address */
  readonly address?: string
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

/** A type of block, every block, uploads, or user groups: what a plan or a setting of a workspace may lack. */
export type Refused = 'blocks' | 'files' | 'usergroups' | 'container' | 'table' | 'rich_text' | 'markdown' | 'context'

/** Who and what is there besides what always is; one with the same id takes its place. */
export interface Cast {
  readonly people?: readonly Person[]
  readonly channels?: readonly Channel[]
  readonly groups?: readonly Group[]
  /** how many messages are kept; 2,000 where nothing is said */
  readonly keep?: number
}

export type Change = { readonly kind: 'put' | 'gone'; readonly message: Message; readonly before: Message | null }

/** Everything that a workspace remembers. Kept in memory; the oldest messages go first. */
export interface World {
  readonly team: string
  readonly app: string
  readonly bot: Person
  readonly people: readonly Person[]
  readonly channels: readonly Channel[]
  /** user groups by id */
  readonly groups: Map<string, Group>
  /** what this workspace does not take */
  readonly refused: Set<Refused>
  readonly files: Map<string, StoredFile>
  readonly views: Map<string, Fields>
  now(): number
  /** Null where there is none of this id. */
  channel(id: string | null): Channel | null
  /** Makes a channel another one: invited, archived, shared. */
  alter(id: string, to: Partial<Channel>): void
  /** A new `1700000000.000100`: the wall clock, always growing. */
  stamp(): string
  /** A new id that nobody can guess, such as `F0…`. */
  id(prefix: string): string
  messages(): readonly Message[]
  /** the replies of a thread, oldest first */
  replies(ts: string): readonly Message[]
  find(channel: string, ts: string): Message | null
  post(draft: Draft): Message
  change(message: Message, to: Partial<Message>): Message
  remove(message: Message): void
  /** Tells every change from now on. Gives the way to stop. */
  watch(listener: (change: Change) => void): () => void
}

const KEPT_MESSAGES = 2_000

export function createWorld(clock: Pick<Clock, 'now'>, cast: Cast = {}): World {
  const channels = byId([...CHANNELS, ...(cast.channels ?? [])])
  const kept = createArchive(cast.keep ?? KEPT_MESSAGES)
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
    team: TEAM,
    app: 'A0PILOT',
    bot: BOT,
    people: [...byId([...PEOPLE, ...(cast.people ?? [])]).values()],
    get channels() {
      return [...channels.values()]
    },
    groups: byId([...GROUPS, ...(cast.groups ?? [])]),
    refused: new Set(),
    channel: (id) => channels.get(id ?? '') ?? null,
    alter(id, to) {
      const found = channels.get(id)
      if (found === undefined) throw new Error(`There is no channel ${id}`)
      channels.set(id, { ...found, ...to, id })
    },
    files: new Map(),
    views: new Map(),
    now: () => clock.now(),
    stamp,
    id: (prefix) => `${prefix}${crypto.randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`,
    messages: kept.all,
    replies: kept.replies,
    find(channel, ts) {
      const message = kept.get(ts)
      return message?.channel === channel ? message : null
    },
    post(draft) {
      const message: Message = { ...EMPTY, ...draft, ts: stamp() }
      kept.add(message)
      tell({ kind: 'put', message, before: null })
      return message
    },
    change(message, to) {
      const changed: Message = { ...message, ...to, ts: message.ts }
      kept.replace(changed)
      tell({ kind: 'put', message: changed, before: message })
      return changed
    },
    remove(message) {
      if (kept.delete(message)) tell({ kind: 'gone', message, before: message })
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function byId<T extends { readonly id: string }>(things: readonly T[]): Map<string, T> {
  return new Map(things.map((thing) => [thing.id, thing]))
}

const EMPTY = {
  blocks: [],
  thread: null,
  onlyFor: null,
  files: [],
  reactions: [],
  metadata: null,
} as const
