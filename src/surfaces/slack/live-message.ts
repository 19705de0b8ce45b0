import type { Opened } from '../../domain/conversation.ts'
import type { Desk, Line } from './deliver.ts'
import { inThread, sorry } from './deliver.ts'
import type { Message } from './pages.ts'
import type { Kept, Maybe, Posted, Spot } from './post.ts'
import type { Refusal } from './refusal.ts'

/** The one message that is seen while something runs and becomes its verdict. */
export interface LiveMessage {
  /** Posts it, or puts it over one that stands. Gives its thread, or the place of the ask where Slack took no message. */
  open(message: Message, over?: Posted | null, id?: string): Promise<Opened>
  /** May fail: the next one comes. Nothing after the verdict. */
  progress(message: Message): Promise<void>
  /**
   * Makes the verdict stand where the run was seen, or else below. Gives its thread, also where the verdict is kept until
   * Slack can be reached; null where Slack takes nothing. `kept` is called when no crash can lose it any more.
   */
  settle(message: Message, kept: Kept): Promise<Spot | null>
}

export function liveMessage(line: Line, { post, log, botName }: Desk): LiveMessage {
  let live: Posted | null = null
  let maybe: Maybe | null = null
  let told = false
  let settled = false

  /** Says once, and at once, why nobody else will see the answer. */
  async function refused(refusal: Refusal): Promise<void> {
    log.error('Slack took no message here', { ...refusal })
    if (told) return
    told = true
    await line.whisper([sorry(refusal, botName)])
  }

  /** The first message, where none stands yet. */
  async function begin(message: Message, id?: string): Promise<void> {
    const sent = await post.message(line.to, message, { passing: true, ...(id === undefined ? {} : { id }) })
    if (sent.ok) live = { channel: line.to.channel, ts: sent.ts }
    else if (sent.refusal.kind === 'place') await refused(sent.refusal)
    else {
      maybe = sent.maybe ?? null
      log.warn('No running message; it is tried again with the verdict', { ...sent.refusal })
    }
  }

  return {
    async open(message, over = null, id) {
      const changed = over === null ? null : await post.change(over, message)
      // one that is kept goes out later, before the verdict does
      if (changed?.ok === true || changed?.kept !== undefined) live = over
      else await begin(message, id)
      return live === null ? { place: line.to, message: null } : { place: inThread(live, line.to), message: live.ts }
    },
    async progress(message) {
      if (live === null || settled) return
      await post.progress(live, message)
    },
    async settle(message, kept) {
      settled = true
      if (live !== null) {
        const changed = await post.change(live, message, kept)
        if (changed.ok || changed.kept !== undefined) return inThread(live, line.to)
        log.warn('The running message could not be changed; the verdict goes below it', { ...changed.refusal })
      }
      const to = live === null ? line.to : inThread(live, line.to)
      const sent = await post.message(to, message, { over: maybe, kept })
      if (sent.ok) return inThread({ channel: to.channel, ts: sent.ts }, to)
      if (sent.kept !== undefined) return { ...to, under: to.thread === null ? sent.kept : null }
      await refused(sent.refusal)
      return null
    },
  }
}
