import type { Person } from './cast.ts'
import type { Fields } from './json.ts'
import { fieldsIn, isFields, textAt } from './json.ts'
import type { Responses } from './responses.ts'
import type { Ack, Socket } from './socket.ts'
import { messageOnWire, spoken } from './wire.ts'
import type { Message, StoredFile, World } from './world.ts'

/** A slash command that the workspace knows. */
export interface KnownCommand {
  /** without its slash: `smoke` */
  readonly word: string
  /** `smoke "PROMPT" [--target NAME] …` */
  readonly usage: string
  readonly summary: string
}

/** What a person can do: give a command, write a message, press a button. */
export interface Typist {
  /** `slash('/smoke', 'Say hello')` */
  slash(command: string, text: string, by: Person, channel?: string): Promise<Ack>
  /** `text` as it stands in the event: entities encoded, mentions as `<@U…>`. */
  say(text: string, thread: string | null, by: Person, channel?: string, files?: readonly Typed[]): Message
  press(message: Message, button: Fields, by: Person): Promise<Ack>
  /** A word from Slack itself, for one person. */
  notice(text: string, thread: string | null, to: Person, channel?: string): Message
}

/** A file that somebody puts into a message. */
export type Typed = Omit<StoredFile, 'id' | 'title'>

function upload(given: Typed, world: World): StoredFile {
  const file = { ...given, id: world.id('F'), title: given.name }
  world.files.set(file.id, file)
  return file
}

export interface TypistNeeds {
  readonly world: World
  readonly socket: Socket
  readonly responses: Responses
  readonly url: string
  /** the channel in which everything is typed where no other is named */
  readonly channel: string
  /** Sends an event to the app, also to one that connects later. */
  event(event: Fields): void
}

export function createTypist(needs: TypistNeeds): Typist {
  const { world, channel: home } = needs
  const notice: Typist['notice'] = (text, thread, to, channel = home) =>
    world.post({ channel, user: 'USLACKBOT', text, thread, onlyFor: to.id })
  return {
    notice,
    async slash(command, text, by, channel = home) {
      const origin = { channel, person: by.id, message: null }
      const payload = { command, text, ...commonFields(needs, by, channel), response_url: responseUrl(needs, origin) }
      const ack = await needs.socket.send('slash_commands', payload, true)
      if (!ack.ok) notice(`${command} failed ${REASONS[ack.error]}`, null, by, channel)
      else if (Object.keys(ack.payload).length > 0) needs.responses.answer(origin, ack.payload)
      return ack
    },
    say(text, thread, by, channel = home, given = []) {
      const files = given.map((file) => upload(file, world))
      const message = world.post({ channel, user: by.id, text, thread, files })
      const place = world.channel(channel)
      // what is said to the bot alone is no mention, and where it is not it hears none
      const heard = place?.member === true && place.kind !== 'im'
      if (heard && text.includes(`<@${world.bot.id}>`)) needs.event({ ...spoken(message, world), type: 'app_mention' })
      return message
    },
    async press(message, button, by) {
      const ack = await needs.socket.send('interactive', pressed(needs, message, button, by), false)
      if (!ack.ok)
        notice(`The button did nothing: it failed ${REASONS[ack.error]}`, message.thread, by, message.channel)
      return ack
    },
  }
}

const REASONS = {
  operation_timeout: 'because the app did not respond within 3 seconds (operation_timeout).',
  dispatch_failed: 'because the app is not connected (dispatch_failed).',
} as const

/** Every button of a message, in the order in which they are read. */
export function buttonsOf(message: Message): readonly Fields[] {
  return message.blocks.flatMap(buttonsIn)
}

function buttonsIn(block: Fields): readonly Fields[] {
  const own = [...fieldsIn(block['elements']), ...(isFields(block['accessory']) ? [block['accessory']] : [])]
  const buttons = own.filter((one) => one['type'] === 'button').map((one) => ({ ...one, block_id: block['block_id'] }))
  return [...buttons, ...fieldsIn(block['child_blocks']).flatMap(buttonsIn)]
}

function responseUrl(needs: TypistNeeds, origin: Parameters<Responses['open']>[0]): string {
  return `${needs.url}${needs.responses.open(origin)}`
}

/** In a shared channel the team is the person's own. */
function commonFields(needs: TypistNeeds, by: Person, channel: string): Fields {
  return {
    token: 'stand-in',
    team_id: by.team,
    team_domain: by.team === needs.world.team ? 'demo' : 'other',
    channel_id: channel,
    channel_name: channelName(channel, needs.world),
    user_id: by.id,
    user_name: by.name,
    api_app_id: needs.world.app,
    is_enterprise_install: 'false',
    trigger_id: needs.world.id('TR'),
  }
}

/** Slack tells the names of public channels only. */
function channelName(id: string, world: World): string {
  const channel = world.channel(id)
  if (channel?.kind === 'private') return 'privategroup'
  return channel?.kind === 'im' ? 'directmessage' : (channel?.name ?? 'unknown')
}

function pressed(needs: TypistNeeds, message: Message, button: Fields, by: Person): Fields {
  const { world } = needs
  const thread = message.thread === null ? {} : { thread_ts: message.thread }
  const hidden = message.onlyFor !== null
  const { confirm: _, accessibility_label: __, ...action } = button
  return {
    type: 'block_actions',
    token: 'stand-in',
    api_app_id: world.app,
    team: { id: world.team, domain: 'demo' },
    user: { id: by.id, username: by.name, name: by.name, team_id: by.team },
    enterprise: null,
    is_enterprise_install: false,
    channel: { id: message.channel, name: channelName(message.channel, world) },
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: hidden,
      ...thread,
    },
    ...(hidden ? {} : { message: messageOnWire(message, world, true) }),
    state: { values: {} },
    trigger_id: world.id('TR'),
    response_url: responseUrl(needs, { channel: message.channel, person: by.id, message }),
    actions: [{ ...action, action_id: textAt(button, 'action_id'), action_ts: world.stamp() }],
  }
}
