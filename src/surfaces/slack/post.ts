import { randomUUID } from 'node:crypto'
import type { Place } from '../../domain/ask.ts'
import type { ReportFile } from '../../domain/report.ts'
import type { Maybe, Sent } from './outbox/letter.ts'
import { contentOf, NOTHING } from './outbox/letter.ts'
import type { Given, Kept, Outbox } from './outbox.ts'
import type { Message } from './pages.ts'
import type { ByUrl, PrivateOptions } from './private.ts'
import { privately } from './private.ts'

export type { Maybe, Sent } from './outbox/letter.ts'
export type { Kept } from './outbox.ts'

export interface Posted {
  readonly channel: string
  readonly ts: string
}

/** Where a message goes: `under` names the letter whose message will begin the thread, where that one is kept. */
export interface Spot extends Place {
  readonly under?: string | null
}

/** How a message is meant; left out: it must be seen. */
export interface Manner {
  /** whether a later one says more, so that it is given up where Slack cannot be reached */
  readonly passing?: boolean
  /** the letter's own id; left out: a new one */
  readonly id?: string
}

/** All that is shown of one answer, in its order. */
export interface Answer {
  readonly to: Place
  /** the message that becomes the first; null: a new one does */
  readonly at: Posted | null
  /** a message that may stand already and becomes the first */
  readonly over: Maybe | null
  readonly first: Message
  readonly rest: readonly Message[]
  readonly files: readonly ReportFile[]
  /** the ask that it answers; null: nobody asked */
  readonly ask: string | null
  /** whether the rest and the files go into the thread of the first, wherever that comes to stand */
  readonly inThread: boolean
}

/** What became of an answer. */
export interface Answered {
  readonly first: Sent
  readonly rest: readonly Sent[]
  /** null: it has none */
  readonly files: Sent | null
}

/**
 * Everything that we write to Slack where others see it. Nothing here throws. What must be seen is in the outbox from
 * then on: where Slack cannot be reached for long, the answer is that it is kept, and it goes out later. Blocks that
 * Slack refuses go one rung lower, too long a message in parts, and at last words alone.
 */
export interface Post {
  /** A new message. It never stands there twice. */
  message(to: Spot, message: Message, how?: Manner): Promise<Sent>
  /** A change that the next one overtakes: tried once, and only where there is room beside the final ones. */
  progress(at: Posted, message: Message): Promise<Sent>
  /** A change that must be seen: tried until Slack takes it or says a final no. Older ones of the same message go. */
  change(at: Posted, message: Message, how?: Pick<Manner, 'passing'>): Promise<Sent>
  /**
   * A whole answer: kept as one, so that no crash shows half of it or a part twice. `kept` is told when that is done; where
   * nothing is kept on disk, when Slack has its first message; where Slack takes nothing, never. What Slack refuses takes
   * along what would have stood below it.
   */
  answer(answer: Answer, kept: Kept): Promise<Answered>
  /** Only that person sees it. `byUrl` goes before chat.postEphemeral. */
  privately(to: Place, user: string, message: Message, byUrl?: ByUrl | null): Promise<Sent>
  files(to: Spot, files: readonly ReportFile[]): Promise<Sent>
}

interface Options extends PrivateOptions {
  readonly outbox: Outbox
}

export function post(options: Options): Post {
  const { outbox } = options
  return {
    message: ({ under = null, ...place }, message, how = {}) =>
      outbox.add({ ...how, place, ts: null, content: contentOf(message, { under }), message }),
    change: ({ channel, ts }, message, how = {}) =>
      outbox.add({ ...how, place: { channel, thread: null }, ts, content: contentOf(message), message }),
    async answer(answer, kept) {
      const [first = NONE, ...others] = await Promise.all(await outbox.addAll(lettersOf(answer), kept))
      const rest = others.slice(0, answer.rest.length)
      return { first, rest, files: others[answer.rest.length] ?? null }
    },
    progress: outbox.show,
    privately: (to, user, message, byUrl = null) => privately({ to, user, message, byUrl }, options),
    files: ({ under = null, ...place }, files) =>
      outbox.add({ place, ts: null, content: { ...NOTHING, files: [...files], under }, message: null }),
  }
}

const NONE: Sent = { ok: false, refusal: { kind: 'no', code: 'nothing to send', waitMs: 0, details: [] } }

/** The first begins the thread of the others, unless that is known already. */
function lettersOf({ to, at, over, ask, first, rest, files, inThread }: Answer): readonly Given[] {
  const id = over?.id ?? randomUUID()
  const thread = to.thread ?? at?.ts ?? null
  const head = { place: { ...to, thread }, ts: at?.ts ?? null, over, id }
  const others = { place: inThread ? { ...to, thread } : to, ts: null }
  const under = inThread ? id : null
  return [
    { ...head, ask, message: first, content: contentOf(first, { below: true }) },
    ...rest.map((message) => ({ ...others, message, content: contentOf(message, { under }) })),
    ...(files.length === 0 ? [] : [{ ...others, message: null, content: { ...NOTHING, files: [...files], under } }]),
  ]
}
