import type { Opened } from '../../domain/conversation.ts'
import type { Desk, Line } from './deliver.ts'
import { inThread, sorry } from './deliver.ts'
import type { Message } from './pages.ts'
import type { Answer, Maybe, Posted } from './post.ts'
import type { Refusal } from './refusal.ts'
import { isFinal } from './refusal.ts'

/** The one message that is seen while something runs and becomes its verdict. */
export interface LiveMessage {
  /** Posts it, or puts it over one that stands. Gives its thread, or the place of the ask where Slack took no message. */
  open(message: Message, over?: Posted | null, id?: string): Promise<Opened>
  /** May fail: the next one comes. Nothing after the verdict. */
  progress(message: Message): Promise<void>
  /** Where the verdict goes: over this message, where one stands or may stand. Nothing is shown here after this. */
  end(): Pick<Answer, 'at' | 'over'>
  /** Says once why nobody else will see the answer. */
  refused(refusal: Refusal): Promise<void>
}

export function liveMessage(line: Line, { post, log, botName }: Desk): LiveMessage {
  let live: Posted | null = null
  let maybe: Maybe | null = null
  let told = false
  let ended = false

  /** Says once, and at once, why nobody else will see the answer. */
  async function refused(refusal: Refusal): Promise<void> {
    log.error('Slack took no message here', { ...refusal })
    if (told) return
    told = true
    await line.whisper([], sorry(refusal, botName))
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
      // never kept: after a crash it would say that something is under way
      const changed = over === null ? null : await post.change(over, message, { passing: true })
      // where Slack cannot be reached the verdict takes its place
      if (changed !== null && (changed.ok || !isFinal(changed.refusal))) live = over
      else await begin(message, id)
      return live === null ? { place: line.to, message: null } : { place: inThread(live, line.to), message: live.ts }
    },
    async progress(message) {
      if (live === null || ended) return
      await post.progress(live, message)
    },
    end() {
      ended = true
      return { at: live, over: live === null ? maybe : null }
    },
    refused,
  }
}
