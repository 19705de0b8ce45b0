import type { Place } from '../../domain/ask.ts'
import type { Opened } from '../../domain/conversation.ts'
import type { Desk, Line } from './deliver.ts'
import { inThread, sorry } from './deliver.ts'
import type { Message } from './pages.ts'
import type { Posted } from './post.ts'
import type { Refusal } from './refusal.ts'

/** The one message that is seen while something runs and becomes its verdict. */
export interface LiveMessage {
  /** Posts it. Gives its thread, or the place of the ask where Slack took no message. */
  open(message: Message): Promise<Opened>
  /** May fail: the next one comes. Waits where Slack says so. */
  progress(message: Message): Promise<void>
  /** Makes the verdict stand where the run was seen, or else below. Gives its thread; null where Slack takes nothing. */
  settle(message: Message): Promise<Place | null>
}

export function liveMessage(line: Line, { post, log, botName, sleep }: Desk): LiveMessage {
  let live: Posted | null = null
  let told = false

  /** Says once, and at once, why nobody else will see the answer. */
  async function refused(refusal: Refusal): Promise<void> {
    log.error('Slack took no message here', { ...refusal })
    if (told) return
    told = true
    await line.whisper([sorry(refusal, botName)])
  }

  return {
    async open(message) {
      const sent = await post.message(line.to, message)
      if (sent.ok) live = { channel: line.to.channel, ts: sent.ts }
      else if (sent.refusal.kind === 'place') await refused(sent.refusal)
      else log.warn('No running message; it is tried again with the verdict', { ...sent.refusal })
      return live === null ? { place: line.to, message: null } : { place: inThread(live, line.to), message: live.ts }
    },
    async progress(message) {
      if (live === null) return
      const sent = await post.progress(live, message)
      if (!sent.ok) await sleep(sent.refusal.waitMs)
    },
    async settle(message) {
      if (live !== null) {
        const changed = await post.change(live, message)
        if (changed.ok) return inThread(live, line.to)
        log.warn('The running message could not be changed; the verdict goes below it', { ...changed.refusal })
      }
      const to = live === null ? line.to : inThread(live, line.to)
      const sent = await post.message(to, message)
      if (sent.ok) return inThread({ channel: to.channel, ts: sent.ts }, to)
      await refused(sent.refusal)
      return null
    },
  }
}
