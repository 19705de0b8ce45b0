import type { Place } from '../../domain/ask.ts'
import type { Log } from '../../domain/ports.ts'
import type { Line } from './deliver.ts'
import { LIMITS } from './limits.ts'
import type { Message } from './pages.ts'
import type { Post } from './post.ts'
import type { ByUrl } from './private.ts'
import type { Respond } from './response-url.ts'

interface Options {
  readonly to: Place
  readonly user: string
  /** null where Slack gave no response_url: events */
  readonly respond: Respond | null
  readonly post: Pick<Post, 'privately'>
  readonly log: Log
}

/**
 * Shows messages to one person alone: by response_url where there is one, since that works also where the bot is no
 * member; else, or when its five uses in thirty minutes are spent, by chat.postEphemeral.
 */
export function whisperer(options: Options): Line['whisper'] {
  const { to, user, post, log } = options
  const byUrl = urlWay(options)
  async function show(message: Message): Promise<boolean> {
    const sent = await post.privately(to, user, message, byUrl)
    if (!sent.ok) log.error('A private answer could not be shown', { ...sent.refusal })
    return sent.ok
  }
  return async (messages, why) => {
    if (why !== undefined) await show(why)
    let shown = true
    // where one is not taken the others may pass all the same
    for (const message of messages) shown = (await show(message)) && shown
    return shown
  }
}

function urlWay({ to, respond, log }: Options): ByUrl | null {
  let left: number = LIMITS.responses
  if (respond === null) return null
  return async ({ text, blocks }) => {
    if (left === 0) return null
    left -= 1
    const refusal = await respond({
      response_type: 'ephemeral',
      replace_original: false,
      text,
      ...(blocks.length === 0 ? {} : { blocks: [...blocks] }),
      ...(to.thread === null ? {} : { thread_ts: to.thread }),
    })
    if (refusal === null) return { ok: true, body: null }
    log.warn('A response_url did not take an answer', { ...refusal })
    return { ok: false, refusal }
  }
}
