import { setTimeout as timer } from 'node:timers/promises'
import type { Ask, Place } from '../../domain/ask.ts'
import type { Conversation } from '../../domain/conversation.ts'
import type { OpenAsk } from '../../domain/open-ask.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import type { Shown } from '../../domain/shown.ts'
import type { Slash } from '../../domain/slash.ts'
import type { Button } from '../../domain/store.ts'
import { answerOwed } from './answer-owed.ts'
import { conversation } from './conversation.ts'
import type { Desk } from './deliver.ts'
import { say } from './deliver.ts'
import type { Showing } from './files-shown.ts'
import type { Actor } from './people.ts'
import type { Posted } from './post.ts'
import { respondTo } from './response-url.ts'
import type { Told } from './unanswered.ts'
import { whisperer } from './whisper.ts'

/** What the surface hands asks to, and asks. */
export interface Ears {
  readonly slash: Slash
  /** whether only messages that mention the bot are read */
  readonly mentionsOnly: boolean
  /** What to say in a channel to which the bot was invited. */
  readonly welcome: (channel: string) => Promise<Report>
  readonly handle: (ask: Ask, talk: Conversation) => Promise<void>
  /** Records that nothing was run of what somebody asked for here, and why; the surface has told them. */
  readonly refused: (asked: Pick<Ask, 'person' | 'place'>, why: string) => Promise<void>
  readonly button: (id: string) => Promise<Outcome<Button | null>>
  /** True for whoever comes first with any of these keys. An ask that is given outlives a crash until it is settled. */
  readonly claim: (keys: readonly string[], ask?: OpenAsk | null) => Promise<boolean>
  /** Keeps an ask that was claimed without. */
  readonly keepAsk: (ask: OpenAsk) => Promise<void>
  readonly settle: (keys: readonly string[]) => Promise<void>
  /** Whoever asked this may have got no answer, and is told so by `tell` as soon as Slack takes it. */
  readonly unanswered: (ask: OpenAsk, tell: (ask: OpenAsk) => Promise<Told>) => void
  readonly person: (actor: Actor) => Promise<Ask['person']>
  /** What was put beside a line. */
  readonly shown: (place: Place, message: Showing | null) => Promise<Shown>
  readonly botUser: string
  readonly desk: Desk
  readonly clock: Clock
  readonly log: Log
}

/** Says to one person that nothing is run. `why`: the same for the audit. */
export type Tell = (sentence: string, why: string) => Promise<void>

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
  /** the message in which it was said; null of commands and presses, which show nothing */
  readonly shows: Showing | null
  /** Null where it turned out that nothing was asked; then the person was told. */
  said(tell: Tell): Promise<Pick<Ask, 'said' | 'attempt' | 'once'> | null>
  /** whether Slack may not repeat this event, should the bot die before it is acknowledged */
  readonly isLastTry?: boolean
  /** Tells Slack that it was heard: from then on it is ours to answer. Null: the receiver does, once it is handled. */
  readonly acknowledge: (() => Promise<void>) | null
}

/** Makes an Ask of it where it is the first delivery. Whatever goes wrong is logged and said. */
export async function take(heard: Heard, ears: Ears): Promise<void> {
  const { desk, log, clock } = ears
  const ask = openAsk(heard, clock.now())
  if (!(await claimed(heard, ask, ears))) return
  const { how, keys, place, to, pressed, actor, response, shows } = heard
  const [id] = keys
  const respond = response === null ? null : respondTo(response)
  const owed = answerOwed(ask, {
    ears,
    respond,
    isEvent: heard.acknowledge === null,
    isLastTry: heard.isLastTry === true,
  })
  const whisper = owed.watchWhisper(whisperer({ to: ask.to, user: actor.id, respond, post: desk.post, log }))
  const spoken = conversation({ ask: id, how, to, pressed, whisper }, desk)
  const talk = owed.watch({ ...spoken, shown: () => ears.shown(place, shows) })
  try {
    const said = await heard.said(async (sentence, why) => {
      await owed.said(await whisper([say(sentence)]))
      await ears.refused({ person: await ears.person(actor), place }, why)
    })
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
    await owed.close()
  }
}

/** Slack shows an error for what is not acknowledged within 3 s; in ms. */
const ACK_MS = 2_000

/** What Slack will not deliver again is kept before it is acknowledged, so that a crash leaves nobody without a word. */
async function claimed({ keys, acknowledge }: Heard, ask: OpenAsk, { claim }: Ears): Promise<boolean> {
  if (acknowledge === null) return claim(keys)
  const first = claim(keys, ask)
  await Promise.race([first, timer(ACK_MS, undefined, { ref: false })])
  await acknowledge()
  return first
}

function openAsk(heard: Heard, at: number): OpenAsk {
  const { how, keys, actor } = heard
  return { id: keys[0], how, keys, user: actor.id, to: aside(heard), at }
}

/** Where one person alone sees it: in a thread that has no reply yet, or is not open, Slack hides that. */
function aside({ place, pressed }: Heard): Place {
  return pressed !== null && pressed.ts === place.thread ? { ...place, thread: null } : place
}

async function noOffer(): Promise<null> {
  return null
}
