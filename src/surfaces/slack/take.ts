import type { RespondFn } from '@slack/bolt'
import type { Ask, Place } from '../../domain/ask.ts'
import type { Conversation } from '../../domain/conversation.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import type { Slash } from '../../domain/slash.ts'
import type { Button } from '../../domain/store.ts'
import { conversation } from './conversation.ts'
import type { Desk } from './deliver.ts'
import { say } from './deliver.ts'
import type { Actor } from './people.ts'
import type { Posted } from './post.ts'
import { whisperer } from './whisper.ts'

/** What the surface hands asks to, and asks. */
export interface Ears {
  readonly slash: Slash
  /** whether only messages that mention the bot are read */
  readonly mentionsOnly: boolean
  /** What to say in a channel to which the bot was invited. */
  readonly welcome: (channel: string) => Promise<Report>
  readonly handle: (ask: Ask, talk: Conversation) => Promise<void>
  readonly button: (id: string) => Promise<Outcome<Button | null>>
  readonly firstTime: (key: string) => Promise<boolean>
  /** True for whoever comes first with any of these keys; what was not settled may come again after a crash. */
  readonly claim: (keys: readonly string[]) => Promise<boolean>
  readonly settle: (keys: readonly string[]) => Promise<void>
  readonly person: (actor: Actor) => Promise<Ask['person']>
  readonly botUser: string
  readonly desk: Desk
  readonly clock: Clock
  readonly log: Log
}

/** One thing that somebody said, on its way to become an Ask. */
export interface Heard extends Pick<Ask, 'how' | 'place'> {
  /** each names it; the first is the ask's id */
  readonly keys: readonly [string, ...string[]]
  readonly actor: Actor
  readonly respond: RespondFn | null
  /** where the answer belongs */
  readonly to: Place
  /** the message whose button it was, where others see it too; null: none was pressed */
  readonly pressed: Posted | null
  /** Null where it turned out that nothing was asked; then the person was told. */
  said(tell: (sentence: string) => Promise<void>): Promise<Pick<Ask, 'said' | 'attempt'> | null>
}

/** Makes an Ask of it where it is the first delivery. Whatever goes wrong is logged and said. */
export async function take(heard: Heard, ears: Ears): Promise<void> {
  const { desk, log, clock } = ears
  const { how, keys, place, to, pressed, actor, respond } = heard
  const [id] = keys
  const whisper = whisperer({ to, user: actor.id, respond, post: desk.post, log })
  const talk = settling(conversation({ how, to, pressed, whisper }, desk), () => ears.settle(keys))
  if (!(await ears.claim(keys))) return
  try {
    const said = await heard.said((sentence) => whisper([say(sentence)]))
    if (said === null) return
    const person = await ears.person(actor)
    await ears.handle({ id, how, place, person, at: clock.now(), ...said }, talk)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    log.error('An ask failed inside the bot', { id, how, error: words })
    // A reply that was not for us must not make us speak.
    if (how === 'thread') return
    await talk.end(
      refusal(`That failed inside the bot: ${words}. Next: ask again; its log has more.`, 'failed'),
      noOffer,
    )
  } finally {
    await ears.settle(keys)
  }
}

/** From its message on, an ask that a crash interrupts is ended by the next process in that message. */
function settling(talk: Conversation, settle: () => Promise<void>): Conversation {
  return {
    ...talk,
    async begin(report, offer, over) {
      const opened = await talk.begin(report, offer, over)
      await settle()
      return opened
    },
  }
}

async function noOffer(): Promise<null> {
  return null
}
