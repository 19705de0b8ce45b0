import type { Person } from './cast.ts'
import { VIEWER } from './cast.ts'
import { encode } from './encode.ts'
import type { Fields } from './json.ts'
import { isFields, textAt } from './json.ts'
import type { Ack } from './socket.ts'
import type { Typed, Typist } from './typist.ts'
import { buttonsOf } from './typist.ts'
import type { Message, World } from './world.ts'

/** A message with the replies of its thread, oldest first. */
export interface Threaded extends Message {
  readonly replies: readonly Message[]
}

interface Where {
  /** ts of the thread's first message */
  readonly thread?: string
  /** user id; Anna where nobody is named */
  readonly as?: string
  /** channel id; #gpu, or the thread's, where none is named */
  readonly in?: string
  /** what is uploaded with it */
  readonly files?: readonly Typed[]
}

/** What a test can do in the place of a person. It happens in #gpu where no other channel is named. */
export interface Hands {
  /** `slash('/smoke', '"Say hello"')`: what the app acknowledged, and after how many ms. */
  slash(command: string, text: string, as?: string, channel?: string): Promise<Ack>
  /** `mention('raw', { thread })` writes `@pilotflame raw`. */
  mention(text: string, where?: Where): Message
  reply(text: string, where: Where & { readonly thread: string }): Message
  /** Presses a button by its label or by its place among the message's buttons. Throws where there is none. */
  press(ts: string, button: string | number, as?: string): Promise<Ack>
  /** The labels of a message's buttons. */
  buttons(ts: string): readonly string[]
  /** Top-level messages with their threads, also those that one person alone sees. */
  messages(channel?: string): readonly Threaded[]
}

export function createHands(world: World, typist: Typist, home: string): Hands {
  const person = (id = VIEWER.id): Person => {
    const found = world.people.find((one) => one.id === id)
    if (found === undefined) throw new Error(`Nobody here has the id ${id}`)
    return found
  }
  const message = (ts: string): Message => {
    const found = world.messages().find((one) => one.ts === ts)
    if (found === undefined) throw new Error(`There is no message ${ts}`)
    return found
  }
  const write = (text: string, { thread, as, in: channel = home, files = [] }: Where) => {
    const place = thread === undefined ? channel : message(thread).channel
    return typist.say(encode(text, world.people), thread ?? null, person(as), place, files)
  }
  return {
    slash: (command, text, as, channel = home) => typist.slash(command, text, person(as), channel),
    mention: (text, where = {}) => write(`@${world.bot.name} ${text}`, where),
    reply: write,
    async press(ts, which, as) {
      const buttons = buttonsOf(message(ts))
      const button =
        typeof which === 'number'
          ? buttons[which]
          : buttons.find((one) => labelOf(one) === which || isAction(one, which))
      if (button === undefined) throw new Error(`No button ${which}, only: ${buttons.map(labelOf).join(', ')}`)
      return typist.press(message(ts), button, person(as))
    },
    buttons: (ts) => buttonsOf(message(ts)).map(labelOf),
    messages(channel = home) {
      const all = world.messages().filter((one) => one.channel === channel)
      const replies = (ts: string) => all.filter((one) => one.thread === ts)
      return all.filter((one) => one.thread === null).map((one) => ({ ...one, replies: replies(one.ts) }))
    },
  }
}

function labelOf(button: Fields): string {
  return isFields(button['text']) ? (textAt(button['text'], 'text') ?? '') : ''
}

function isAction(button: Fields, id: string): boolean {
  return button['action_id'] === id
}
