import type { App, RespondFn } from '@slack/bolt'
import type { Ask, Place } from '../../domain/ask.ts'
import type { Conversation } from '../../domain/conversation.ts'
import { sentence } from '../../domain/failure.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { ok } from '../../domain/outcome.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import { refusal } from '../../domain/report.ts'
import type { Button } from '../../domain/store.ts'
import { conversation } from './conversation.ts'
import type { Desk } from './deliver.ts'
import { say } from './deliver.ts'
import { Command, Event, Press } from './payloads.ts'
import type { Actor } from './people.ts'
import { ACTION_PREFIX } from './render.ts'
import { whisperer } from './whisper.ts'

/** What the surface hands asks to, and asks. */
export interface Ears {
  readonly words: readonly string[]
  readonly handle: (ask: Ask, talk: Conversation) => Promise<void>
  readonly button: (id: string) => Promise<Outcome<Button | null>>
  readonly firstTime: (key: string) => Promise<boolean>
  readonly person: (actor: Actor) => Promise<Ask['person']>
  readonly botUser: string
  readonly desk: Desk
  readonly clock: Clock
  readonly log: Log
}

/** One thing that somebody said, on its way to become an Ask. */
interface Heard extends Pick<Ask, 'how' | 'place'> {
  readonly key: string
  readonly actor: Actor
  readonly respond: RespondFn | null
  /** where the answer belongs */
  readonly to: Place
  /** Null where it turned out that nothing was asked; then the person was told. */
  said(tell: (sentence: string) => Promise<void>): Promise<Pick<Ask, 'said' | 'attempt'> | null>
}

/** Makes an Ask of every command, mention, thread reply and press, once each. Whatever goes wrong is logged and said. */
export function listen(app: App, ears: Ears): { idle(): Promise<void> } {
  const working = new Set<Promise<void>>()
  const again = pressedAgain(ears)
  const hear = (heard: Heard): Promise<void> => {
    const work = take(heard, ears)
    working.add(work)
    return work.finally(() => working.delete(work))
  }
  // One pattern for all words, known or not: Slack shows an error for a command that nobody acknowledges.
  app.command(/.*/, async ({ ack, body, respond }) => {
    await ack()
    await hear(command(body, respond, ears))
  })
  app.action(/.*/, async ({ ack, body, respond }) => {
    await ack()
    await hear(press(body, respond, ears, again))
  })
  const onEvent = async ({ body }: { body: unknown }): Promise<void> => {
    const heard = event(body, ears)
    if (heard !== null) await hear(heard)
  }
  app.event('app_mention', onEvent)
  app.event('message', onEvent)
  return {
    async idle() {
      await Promise.allSettled(working)
    },
  }
}

function command(body: unknown, respond: RespondFn, ears: Ears): Heard {
  const { key, word, text, channel, actor } = Command.parse(body)
  const place = { channel, thread: null }
  return {
    how: 'slash',
    key,
    actor,
    respond,
    place,
    to: place,
    async said(tell) {
      if (ears.words.includes(word)) return { said: { form: 'plain', word, text }, attempt: null }
      await tell(`/${word} is not one of my commands. Next: /${ears.words[0]} help`)
      return null
    },
  }
}

/** A second press within this time is a double click, or two people who saw the same; in ms. */
const DOUBLE_MS = 3_000

/** Whether the same button was pressed a moment ago, by whomever. */
function pressedAgain({ clock }: Ears): (action: string) => boolean {
  const pressed = new Map<string, number>()
  return (action) => {
    const now = clock.monotonic()
    for (const [known, at] of pressed) if (now - at > DOUBLE_MS) pressed.delete(known)
    const again = pressed.has(action)
    if (!again) pressed.set(action, now)
    return again
  }
}

function press(body: unknown, respond: RespondFn, ears: Ears, again: (action: string) => boolean): Heard {
  const { key, action, channel, thread, actor } = Press.parse(body)
  const place = { channel, thread }
  return {
    how: 'button',
    key,
    actor,
    respond,
    place,
    to: place,
    async said(tell) {
      if (again(action)) {
        await tell('That button was pressed a moment ago; it runs once.')
        return null
      }
      const found = action.startsWith(ACTION_PREFIX) ? await ears.button(action.slice(ACTION_PREFIX.length)) : ok(null)
      if (!found.ok) {
        await tell(`${sentence(found.failure)} Nothing was run.`)
        return null
      }
      const button = found.value
      if (button?.once === true && !(await ears.firstTime(`used:${button.id}`))) {
        await tell('That question was answered already; nothing was run. Next: ask again.')
        return null
      }
      if (button !== null && button.expires > ears.clock.now()) {
        return { said: { form: 'plain', word: null, text: button.line }, attempt: button.attempt }
      }
      await tell('That button has expired; nothing was run. Next: ask again.')
      return null
    },
  }
}

/** Null for what no person said to us: bots, edits, and messages outside threads that do not mention us. */
function event(body: unknown, ears: Ears): Heard | null {
  const read = Event.safeParse(body)
  if (!read.success || !read.data.byPerson) return null
  const { key, text, channel, ts, thread, actor } = read.data
  const mentioned = text.includes(`<@${ears.botUser}>`) || text.includes(`<@${ears.botUser}|`)
  if (!mentioned && thread === null) return null
  return {
    how: mentioned ? 'mention' : 'thread',
    key,
    actor,
    respond: null,
    place: { channel, thread },
    to: { channel, thread: thread ?? ts },
    said: async () => ({ said: { form: 'encoded', text }, attempt: null }),
  }
}

async function take(heard: Heard, ears: Ears): Promise<void> {
  const { desk, log, clock } = ears
  const { how, key: id, place, to, actor, respond } = heard
  const whisper = whisperer({ to, user: actor.id, respond, post: desk.post, log })
  const talk = conversation({ how, to, whisper }, desk)
  try {
    if (!(await ears.firstTime(id))) return
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
  }
}

async function noOffer(): Promise<null> {
  return null
}
