import { setTimeout as timer } from 'node:timers/promises'
import type { Ask, Place } from '../../domain/ask.ts'
import type { Conversation } from '../../domain/conversation.ts'
import type { OpenAsk } from '../../domain/open-ask.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import type { Slash } from '../../domain/slash.ts'
import type { Button } from '../../domain/store.ts'
import { conversation } from './conversation.ts'
import type { Desk } from './deliver.ts'
import { say } from './deliver.ts'
import type { Message } from './pages.ts'
import type { Actor } from './people.ts'
import type { Posted } from './post.ts'
import { respondTo } from './response-url.ts'
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
  /** True for whoever comes first with any of these keys. An ask that is given outlives a crash until it is settled. */
  readonly claim: (keys: readonly string[], ask?: OpenAsk | null) => Promise<boolean>
  /** Keeps an ask that was claimed without. */
  readonly keepAsk: (ask: OpenAsk) => Promise<void>
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
  /** where the person can be answered alone, whatever the place; null: Slack gave no response_url */
  readonly response: string | null
  /** where the answer belongs */
  readonly to: Place
  /** the message whose button it was, where others see it too; null: none was pressed */
  readonly pressed: Posted | null
  /** Null where it turned out that nothing was asked; then the person was told. */
  said(tell: (sentence: string) => Promise<void>): Promise<Pick<Ask, 'said' | 'attempt'> | null>
  /** Tells Slack that it was heard: from then on it is ours to answer. Null: the receiver does, once it is handled. */
  readonly acknowledge: (() => Promise<void>) | null
}

/** Makes an Ask of it where it is the first delivery. Whatever goes wrong is logged and said. */
export async function take(heard: Heard, ears: Ears): Promise<void> {
  if (!(await claimed(heard, ears))) return
  const { desk, log, clock } = ears
  const { how, keys, place, to, pressed, actor } = heard
  const [id] = keys
  const respond = heard.response === null ? null : respondTo(heard.response)
  const show = whisperer({ to: aside(heard), user: actor.id, respond, post: desk.post, log })
  const whisper = async (messages: readonly Message[]): Promise<void> => void (await show(messages))
  const settle = settler(heard, ears)
  const talk = settling(conversation({ how, to, pressed, whisper }, desk), settle)
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
    await settle()
  }
}

/** Slack shows an error for what is not acknowledged within 3 s; in ms. */
const ACK_MS = 2_000

/** What Slack will not deliver again is kept before it is acknowledged, so that a crash leaves nobody without a word. */
async function claimed(heard: Heard, { claim, clock }: Ears): Promise<boolean> {
  const { keys, acknowledge } = heard
  if (acknowledge === null) return claim(keys)
  const first = claim(keys, openAsk(heard, clock.now()))
  await Promise.race([first, timer(ACK_MS, undefined, { ref: false })])
  await acknowledge()
  return first
}

/** The receiver acknowledges an event after 2 s, handled or not; in ms. */
const KEEP_MS = 1_500

/** Settles once. An event is kept from the moment on at which Slack may not deliver it again. */
function settler(heard: Heard, { settle, keepAsk, clock }: Ears): () => Promise<void> {
  let settling: Promise<void> | null = null
  const isEvent = heard.acknowledge === null && heard.how === 'mention'
  const late = isEvent ? setTimeout(() => void keepAsk(openAsk(heard, clock.now())), KEEP_MS) : undefined
  return () => {
    clearTimeout(late)
    settling ??= settle(heard.keys)
    return settling
  }
}

function openAsk(heard: Heard, at: number): OpenAsk {
  const { how, keys, actor, response } = heard
  return { id: keys[0], how, keys, user: actor.id, to: aside(heard), response, at }
}

/** Settled as soon as a restart would end it: by its message, which the house has noted before, or by its answer, which is kept. */
function settling(talk: Conversation, settle: () => Promise<void>): Conversation {
  return {
    ...talk,
    async begin(report, offer, how) {
      const opened = await talk.begin(report, offer, how)
      await settle()
      return opened
    },
    end: (report, offer, kept) =>
      talk.end(report, offer, async () => {
        await kept?.()
        await settle()
      }),
  }
}

/** Where one person alone sees it: in a thread that has no reply yet, or is not open, Slack hides that. */
function aside({ place, pressed }: Heard): Place {
  return pressed !== null && pressed.ts === place.thread ? { ...place, thread: null } : place
}

async function noOffer(): Promise<null> {
  return null
}
