import type { Log } from '../../domain/ports.ts'
import type { Abilities, Kind } from './abilities.ts'
import { KINDS } from './abilities.ts'
import { blame, isTelling, kindsIn } from './blame.ts'
import type { Message } from './pages.ts'
import type { Post, Sent, Spot } from './post.ts'
import type { Refusal } from './refusal.ts'

/**
 * box → section → replies of words. What these have no room for is a file beside them, and where files are refused a
 * note says so.
 */
export interface Ladder {
  /** What goes instead of a message that Slack refused, one rung lower. Null: no other form can help. */
  lower(message: Message, refusal: Refusal): readonly Message[] | null
  /** A Post that leaves out what the workspace is known to refuse, and learns from what it takes. */
  over(post: Post): Post
}

/** What a workspace refused is left out from then on; see `abilities` for how long. */
export function ladder(abilities: Abilities, log: Log): Ladder {
  const lowered = new WeakSet<Message>()

  async function learn(form: Message, sent: Sent): Promise<Sent> {
    if (sent.ok && !lowered.has(form)) await abilities.worked(kindsIn(form))
    return sent
  }

  /** All forms of a message in turn; the first stands for it. Where it is refused for good, the others are not sent. */
  async function each(message: Message, put: (form: Message, first: Sent | null) => Promise<Sent>): Promise<Sent> {
    let first: Sent | null = null
    for (const form of formsOf(message, abilities)) {
      const sent = await learn(form, await put(form, first))
      first ??= sent
      if (!sent.ok && sent.kept === undefined) return sent
    }
    return first ?? { ok: true, ts: '' }
  }

  return {
    lower(message, refusal) {
      const without = blame(message, refusal)
      if (without === null || message.again === undefined) return null
      lowered.add(message)
      const { code, details } = refusal
      log.warn('Slack refused a message; it goes out in a plainer form', { code, details, without })
      if (isTelling(refusal)) void abilities.refused(without)
      return message.again([without])
    },
    over: (post) => ({
      message: (to, message, how = {}) =>
        each(message, (form, first) =>
          first === null
            ? post.message(to, form, how)
            : post.message(below(to, first), form, { passing: how.passing ?? false }),
        ),
      change: (at, message, kept) =>
        each(message, (form, first) =>
          first === null ? post.change(at, form, kept) : post.message({ channel: at.channel, thread: at.ts }, form),
        ),
      progress: (at, message) => post.progress(at, firstOf(message, abilities)),
      privately: (to, user, message) => each(message, (form) => post.privately(to, user, form)),
      async files(to, files) {
        const sent = await post.files(to, files)
        if (sent.ok) await abilities.worked(['files'])
        else if (sent.refusal.kind === 'no') await abilities.refused('files')
        return sent
      },
    }),
  }
}

function formsOf(message: Message, abilities: Abilities): readonly Message[] {
  const can = abilities.can()
  const without: readonly Kind[] = KINDS.filter((kind) => !can[kind])
  return without.length === 0 || message.again === undefined ? [message] : message.again(without)
}

function firstOf(message: Message, abilities: Abilities): Message {
  return formsOf(message, abilities)[0] ?? message
}

/** What goes on after a first message is in its thread. */
function below(to: Spot, first: Sent): Spot {
  if (to.thread !== null) return to
  return first.ok ? { ...to, thread: first.ts } : { ...to, under: first.kept ?? null }
}
