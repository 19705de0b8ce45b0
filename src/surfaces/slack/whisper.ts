import type { Place } from '../../domain/ask.ts'
import type { Log } from '../../domain/ports.ts'
import { written } from './escape.ts'
import { LIMITS } from './limits.ts'
import type { Message } from './pages.ts'
import type { Post } from './post.ts'
import type { Respond } from './response-url.ts'

interface Options {
  readonly to: Place
  readonly user: string
  /** null where Slack gave no response_url: events */
  readonly respond: Respond | null
  readonly post: Post
  readonly log: Log
}

/**
 * Shows messages to one person alone: by response_url where there is one, since that works also where the bot is no
 * member; else, or when its five uses in thirty minutes are spent, by chat.postEphemeral. False where one was not taken.
 */
export function whisperer({
  to,
  user,
  respond,
  post,
  log,
}: Options): (messages: readonly Message[]) => Promise<boolean> {
  let left: number = LIMITS.responses

  async function byUrl(message: Message): Promise<boolean> {
    if (respond === null || left === 0) return false
    left -= 1
    try {
      await respond({
        response_type: 'ephemeral',
        replace_original: false,
        text: written(message.text),
        ...(message.blocks.length === 0 ? {} : { blocks: [...message.blocks] }),
        ...(to.thread === null ? {} : { thread_ts: to.thread }),
      })
      return true
    } catch (error) {
      log.warn('A response_url did not take an answer', { said: String(error), blocks: message.blocks.length })
      return false
    }
  }

  async function privately(message: Message): Promise<boolean> {
    const sent = await post.privately(to, user, message)
    if (!sent.ok) log.error('A private answer could not be shown', { ...sent.refusal })
    return sent.ok
  }

  /** A response_url does not say why it refuses: the same in words tells whether the blocks were at fault. */
  async function show(message: Message): Promise<boolean> {
    if (await byUrl(message)) return true
    const [first, ...others] = inWords(message)
    if (first === undefined || !(await byUrl(first))) return privately(message)
    return all(others, async (other) => (await byUrl(other)) || privately(other))
  }

  return (messages) => all(messages, show)
}

/** One after the other, also after one that failed. */
async function all(messages: readonly Message[], show: (message: Message) => Promise<boolean>): Promise<boolean> {
  let shown = true
  for (const message of messages) shown = (await show(message)) && shown
  return shown
}

function inWords(message: Message): readonly Message[] {
  return message.again?.(['blocks']) ?? [{ ...message, blocks: [] }]
}
