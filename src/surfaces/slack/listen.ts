import type { App, Context } from '@slack/bolt'
import { sentence } from '../../domain/failure.ts'
import { ok } from '../../domain/outcome.ts'
import type { Invitation } from './hello.ts'
import { hello } from './hello.ts'
import { Command, Event, Joined, Press } from './payloads.ts'
import { ACTION_PREFIX } from './render.ts'
import type { Ears, Heard } from './take.ts'
import { take } from './take.ts'

export interface Listening {
  /** From now on whoever asks by a command or a press is told to ask again later; events are left alone. */
  drain(): void
  /** Resolves when all that was asked is answered. */
  idle(): Promise<void>
}

/** From this repetition of an event on Slack tries once more at most. */
const LAST_TRIES = 2

/** Makes an Ask of every command, mention, thread reply and press, once each. Whatever goes wrong is logged and said. */
export function listen(app: App, ears: Ears): Listening {
  const working = new Set<Promise<void>>()
  const again = pressedAgain(ears)
  let draining = false
  const underWay = new Map<string, Promise<void>>()
  const hear = (given: Heard, context: Context): Promise<void> => {
    const heard = { ...given, keys: withEnvelope(given.keys, context), ...(draining ? TOO_LATE : {}) }
    const before = heard.keys.flatMap((key) => underWay.get(key) ?? [])
    // an event that comes again is acknowledged with the first one: before, a crash would lose both
    if (heard.acknowledge === null && before[0] !== undefined) return before[0]
    const work = take(heard, ears)
    working.add(work)
    for (const key of heard.keys) underWay.set(key, work)
    return work.finally(() => {
      working.delete(work)
      for (const key of heard.keys) if (underWay.get(key) === work) underWay.delete(key)
    })
  }
  const greet = (joined: Invitation): Promise<void> => {
    const work = hello(joined, ears)
    working.add(work)
    return work.finally(() => working.delete(work))
  }
  // One pattern for all words, known or not: Slack shows an error for a command that nobody acknowledges.
  app.command(/.*/, ({ ack, body, context }) => hear({ ...command(body, ears), acknowledge: () => ack() }, context))
  app.action(/.*/, ({ ack, body, context }) => hear({ ...press(body, ears, again), acknowledge: () => ack() }, context))
  const onEvent = async ({ body, context }: { body: unknown; context: Context }): Promise<void> => {
    const heard = event(body, ears)
    const isLastTry = (context.retryNum ?? 0) >= LAST_TRIES
    if (heard !== null && !draining) await hear({ ...heard, isLastTry }, context)
  }
  app.event('app_mention', onEvent)
  app.event('message', onEvent)
  app.event('member_joined_channel', async ({ body }: { body: unknown }) => {
    const joined = Joined.safeParse(body)
    if (joined.success && joined.data.user === ears.botUser && !draining) await greet(joined.data)
  })
  return {
    drain() {
      draining = true
    },
    async idle() {
      await Promise.allSettled(working)
    },
  }
}

function withEnvelope(keys: Heard['keys'], context: Context): Heard['keys'] {
  const envelope: unknown = context['envelope']
  return typeof envelope === 'string' && envelope !== '' ? [...keys, `envelope:${envelope}`] : keys
}

/** Commands and presses, which Slack never delivers again; events are left to the next process. */
const TOO_LATE: Pick<Heard, 'said'> = {
  async said(tell) {
    await tell('Pilotflame is being restarted; nothing was run. Next: ask again in 30 s.', 'stopping')
    return null
  },
}

function command(body: unknown, ears: Ears): Heard {
  const { keys, word, text, channel, actor, response } = Command.parse(body)
  const place = { channel, thread: null }
  return {
    how: 'slash',
    keys,
    actor,
    response,
    acknowledge: null,
    place,
    to: place,
    pressed: null,
    shows: null,
    async said(tell) {
      const meant = ears.slash.words.get(word)
      if (meant !== undefined) return { said: { form: 'plain', word: meant, text }, attempt: null }
      await tell(`/${word} is not one of my commands. Next: ${ears.slash.typed('help')}`, 'unknown slash command')
      return null
    },
  }
}

/** A second press by the same person within this time is a double click; in ms. */
const DOUBLE_MS = 3_000

/** Whether the same person pressed the same button a moment ago. Somebody else's press keeps nobody from pressing. */
function pressedAgain({ clock }: Ears): (action: string, user: string) => boolean {
  const pressed = new Map<string, number>()
  return (button, user) => {
    const action = JSON.stringify([button, user])
    const now = clock.monotonic()
    for (const [known, at] of pressed) if (now - at > DOUBLE_MS) pressed.delete(known)
    const again = pressed.has(action)
    if (!again) pressed.set(action, now)
    return again
  }
}

function press(body: unknown, ears: Ears, again: (action: string, user: string) => boolean): Heard {
  const { keys, action, channel, thread, message, actor, response } = Press.parse(body)
  const place = { channel, thread }
  return {
    how: 'button',
    keys,
    actor,
    response,
    acknowledge: null,
    place,
    to: place,
    pressed: message === null ? null : { channel, ts: message },
    shows: null,
    async said(tell) {
      if (again(action, actor.id)) {
        await tell('That button was pressed a moment ago; it runs once.', 'pressed twice')
        return null
      }
      const found = action.startsWith(ACTION_PREFIX) ? await ears.button(action.slice(ACTION_PREFIX.length)) : ok(null)
      if (!found.ok) {
        await tell(`${sentence(found.failure)} Nothing was run.`, 'button not read')
        return null
      }
      const button = found.value
      if (button !== null && button.expires > ears.clock.now()) {
        // whether this person may is decided first, and only then it is used
        const once = button.once ? { once: button.id } : {}
        return { said: { form: 'plain', word: null, text: button.line }, attempt: button.attempt, ...once }
      }
      await tell('That button has expired; nothing was run. Next: ask again.', 'button expired')
      return null
    },
  }
}

/** Null for what no person said to us: bots, edits, messages that do not mention us where those are not read, or outside threads. */
function event(body: unknown, ears: Ears): Heard | null {
  const read = Event.safeParse(body)
  if (!read.success || !read.data.byPerson) return null
  const { keys, text, channel, ts, thread, actor, files } = read.data
  const mentioned = text.includes(`<@${ears.botUser}>`) || text.includes(`<@${ears.botUser}|`)
  if (!mentioned && (thread === null || ears.mentionsOnly)) return null
  return {
    how: mentioned ? 'mention' : 'thread',
    keys,
    actor,
    response: null,
    acknowledge: null,
    place: { channel, thread },
    to: { channel, thread: thread ?? ts },
    pressed: null,
    shows: { ts, files },
    said: async () => ({ said: { form: 'encoded', text }, attempt: null }),
  }
}
