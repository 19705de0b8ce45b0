import type { Place } from '../../domain/ask.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import type { ReportFile } from '../../domain/report.ts'
import type { Call } from './outbox/call.ts'
import { placed, words } from './outbox/call.ts'
import type { Pause } from './outbox/gate.ts'
import type { Maybe, Sent } from './outbox/letter.ts'
import { contentOf, NOTHING } from './outbox/letter.ts'
import { stampIn } from './outbox/send.ts'
import type { Outbox } from './outbox.ts'
import type { Message } from './pages.ts'
import type { Refusal } from './refusal.ts'

export type { Maybe, Sent } from './outbox/letter.ts'

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
  /** a message that may stand already and becomes this one */
  readonly over?: Maybe | null
  /** the letter's own id; left out: a new one */
  readonly id?: string
  readonly kept?: Kept
}

/** Called as soon as no crash can lose a message any more. */
export type Kept = () => Promise<void>

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
  change(at: Posted, message: Message, kept?: Kept): Promise<Sent>
  /** Only that person sees it. */
  privately(to: Place, user: string, message: Message): Promise<Sent>
  files(to: Spot, files: readonly ReportFile[]): Promise<Sent>
}

interface Options {
  readonly call: Call
  readonly outbox: Outbox
  /** Waits until the channel may have another message. */
  readonly pace: (channel: string) => Promise<void>
  readonly pause: Pause
  readonly clock: Clock
  readonly log: Log
}

export function post(options: Options): Post {
  const { outbox } = options
  return {
    message: ({ under = null, ...place }, message, how = {}) =>
      outbox.add({ ...how, place, ts: null, content: contentOf(message, { under }), message }),
    change: ({ channel, ts }, message, kept) =>
      outbox.add({
        place: { channel, thread: null },
        ts,
        content: contentOf(message),
        message,
        ...(kept === undefined ? {} : { kept }),
      }),
    progress: outbox.show,
    privately: (to, user, message) => privately({ to, user, message }, options),
    files: ({ under = null, ...place }, files) =>
      outbox.add({ place, ts: null, content: { ...NOTHING, files: [...files], under }, message: null }),
  }
}

interface Private {
  readonly to: Place
  readonly user: string
  readonly message: Message
}

/** Whoever asked waits no longer, in ms. */
const PRIVATE_MS = 60_000
const FIRST_MS = 1_000

/** Nobody can find a private message again, so it is repeated only where it surely did not arrive. */
async function privately({ to, user, message }: Private, { call, pace, pause, clock, log }: Options): Promise<Sent> {
  const until = clock.monotonic() + PRIVATE_MS
  let content = contentOf(message)
  for (let tries = 1; ; tries += 1) {
    await pace(to.channel)
    const answer = await call('chat.postEphemeral', { ...placed(to), user, ...words(content) })
    if (answer.ok) return { ok: true, ts: stampIn(answer.body) }
    const { refusal } = answer
    const wait = Math.max(refusal.waitMs, FIRST_MS * 2 ** (tries - 1))
    if (['blocks', 'long'].includes(refusal.kind) && content.blocks.length > 0) {
      const { code, details } = refusal
      log.error('Slack refused the blocks of a private message; its words go alone', { code, details })
      content = { ...content, blocks: [] }
    } else if (didNotArrive(refusal) && clock.monotonic() + wait < until) await pause(wait, NEVER)
    else return { ok: false, refusal }
  }
}

const NEVER = new AbortController().signal

function didNotArrive({ kind }: Refusal): boolean {
  return kind === 'limited' || kind === 'unsent'
}
