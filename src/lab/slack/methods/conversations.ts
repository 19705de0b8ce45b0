import type { Fields } from '../json.ts'
import { numberAt, textAt } from '../json.ts'
import { refuse } from '../validate.ts'
import { BOT_ID, channelOnWire, messageOnWire, personOnWire, repliesTo } from '../wire.ts'
import type { Message, World } from '../world.ts'
import type { Method } from './method.ts'

/** Looking at channels, threads and people. */
export const conversations: Readonly<Record<string, Method>> = {
  'auth.test': {
    scope: null,
    run: (_, { world, url }) => ({
      ok: true,
      url: `${url}/`,
      team: 'Pilotflame demo',
      team_id: world.team,
      user: world.bot.name,
      user_id: world.bot.id,
      bot_id: BOT_ID,
      is_enterprise_install: false,
    }),
  },
  'conversations.info': {
    scope: 'channels:read',
    run(args, { world }) {
      const channel = world.channels.find((one) => one.id === textAt(args, 'channel'))
      return channel === undefined
        ? refuse('channel_not_found')
        : { ok: true, channel: channelOnWire(channel, world.team) }
    },
  },
  'conversations.list': {
    scope: 'channels:read',
    run: (_, { world }) => ({
      ok: true,
      channels: world.channels.map((channel) => channelOnWire(channel, world.team)),
      response_metadata: { next_cursor: '' },
    }),
  },
  'conversations.members': {
    scope: 'channels:read',
    run(args, { world }) {
      const channel = world.channels.find((one) => one.id === textAt(args, 'channel'))
      if (channel === undefined) return refuse('channel_not_found')
      const members = world.people.filter((person) => !person.bot || channel.member).map((person) => person.id)
      return { ok: true, members, response_metadata: { next_cursor: '' } }
    },
  },
  'conversations.history': {
    scope: 'channels:history',
    run(args, { world }) {
      const top = visible(args, world)?.filter((message) => message.thread === null)
      return top === undefined ? refuse('channel_not_found') : page([...top].reverse(), args, world)
    },
  },
  'conversations.replies': {
    scope: 'channels:history',
    run(args, { world }) {
      const all = visible(args, world)
      if (all === undefined) return refuse('channel_not_found')
      const parent = all.find((message) => message.ts === textAt(args, 'ts'))
      return parent === undefined
        ? refuse('thread_not_found')
        : page([parent, ...repliesTo(parent, world)], args, world)
    },
  },
  'users.info': {
    scope: 'users:read',
    run(args, { world }) {
      const person = world.people.find((one) => one.id === textAt(args, 'user'))
      return person === undefined ? refuse('user_not_found') : { ok: true, user: personOnWire(person, world.team) }
    },
  },
}

function visible(args: Fields, world: World): readonly Message[] | undefined {
  const channel = world.channels.find((one) => one.id === textAt(args, 'channel'))
  if (channel === undefined) return undefined
  return world.messages().filter((message) => message.channel === channel.id && message.onlyFor === null)
}

function page(messages: readonly Message[], args: Fields, world: World) {
  const limit = Math.min(numberAt(args, 'limit') ?? 100, 999)
  const from = numberAt(args, 'cursor') ?? 0
  const next = from + limit
  return {
    ok: true,
    messages: messages.slice(from, next).map((message) => messageOnWire(message, world)),
    has_more: next < messages.length,
    response_metadata: { next_cursor: next < messages.length ? String(next) : '' },
  } as const
}
