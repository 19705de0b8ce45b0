import type { Log } from '../../domain/ports.ts'
import type { Abilities, Kind } from './abilities.ts'
import { KINDS } from './abilities.ts'
import { blame, isTelling, kindsIn } from './blame.ts'
import type { Message } from './pages.ts'
import type { Post, Sent } from './post.ts'
import { inTurn } from './private.ts'
import type { Refusal } from './refusal.ts'

/**
 * box → section → replies of words. What these have no room for is a file beside them, and where files are refused a
 * note says so.
 */
export interface Ladder {
  /** What goes instead of a message that Slack refused, one rung lower. Null: no other form can help. */
  lower(message: Message, refusal: Refusal): readonly Message[] | null
  /** What goes instead of a message with something that the workspace is known to refuse by now. Null: it may go as it is. */
  redrawn(message: Message): readonly Message[] | null
  /** A Post that leaves out what the workspace is known to refuse, and learns from what it takes. */
  over(post: Post): Post
}

/** What a workspace refused is left out from then on; see `abilities` for how long. */
export function ladder(abilities: Abilities, log: Log): Ladder {
  const lowered = new WeakSet<Message>()
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
    redrawn(message) {
      const refused = refusedBy(abilities)
      if (message.again === undefined || !kindsIn(message).some((kind) => refused.includes(kind))) return null
      lowered.add(message)
      return message.again(refused)
    },
    over: (post) =>
      plainly(
        post,
        abilities,
        log,
        learner(abilities, (form) => lowered.has(form)),
      ),
  }
}

function plainly(post: Post, abilities: Abilities, log: Log, { learn, learnOfFiles }: Learner): Post {
  /** Without what the workspace refuses, where that is one message; several are drawn when they go out. */
  function drawn(message: Message): Message {
    const [form = message, ...others] = formsOf(message, abilities)
    return others.length === 0 ? form : message
  }

  return {
    async message(to, message, how) {
      const form = drawn(message)
      return learn(form, await post.message(to, form, how))
    },
    async change(at, message, how) {
      const form = drawn(message)
      return learn(form, await post.change(at, form, how))
    },
    async answer(given, kept) {
      const [first, rest] = [drawn(given.first), given.rest.map(drawn)]
      const answered = await post.answer({ ...given, first, rest }, kept)
      await learn(first, answered.first)
      for (const [at, sent] of answered.rest.entries()) await learn(rest[at] ?? first, sent)
      await learnOfFiles(answered.files)
      return answered
    },
    progress: (at, message) => post.progress(at, formsOf(message, abilities)[0] ?? message),
    privately: (to, user, message, byUrl) =>
      inTurn(
        formsOf(message, abilities),
        async (form) => learn(form, await post.privately(to, user, form, byUrl)),
        log,
        { ok: true, ts: '' },
      ),
    async files(to, files) {
      const sent = await post.files(to, files)
      await learnOfFiles(sent)
      return sent
    },
  }
}

interface Learner {
  /** From what became of a message that was drawn in this form. */
  learn(form: Message, sent: Sent): Promise<Sent>
  learnOfFiles(sent: Sent | null): Promise<void>
}

function learner(abilities: Abilities, wasLowered: (form: Message) => boolean): Learner {
  return {
    async learn(form, sent) {
      if (sent.ok && !wasLowered(form)) await abilities.worked(kindsIn(form))
      return sent
    },
    async learnOfFiles(sent) {
      if (sent?.ok === true) await abilities.worked(['files'])
      else if (sent?.ok === false && sent.refusal.kind === 'no') await abilities.refused('files')
    },
  }
}

function refusedBy(abilities: Abilities): readonly Kind[] {
  const can = abilities.can()
  return KINDS.filter((kind) => !can[kind])
}

function formsOf(message: Message, abilities: Abilities): readonly Message[] {
  const without = refusedBy(abilities)
  return without.length === 0 || message.again === undefined ? [message] : message.again(without)
}
