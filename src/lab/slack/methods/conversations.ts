import type { Person } from '../cast.ts'
import type { Fields } from '../json.ts'
import { flagAt, numberAt, textAt } from '../json.ts'
import { joined, known, scopeFor } from '../places.ts'
import { refuse } from '../validate.ts'
import { BOT_ID, channelOnWire, messageOnWire, personOnWire, repliesTo } from '../wire.ts'
import type { Message, World } from '../world.ts'
import type { Method } from './method.ts'

/** Looking at channels, threads, people and user groups. */
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
    scope: scopeFor('read'),
    run(args, { world }) {
      const channel = known(textAt(args, 'channel'), world)
      return 'error' in channel ? channel : { ok: true, channel: channelOnWire(channel, world.team) }
    },
  },
  'conversations.list': {
    scope: 'channels:read',
    run: (_, { world }) => ({
      ok: true,
      channels: world.channels
        .filter((channel) => channel.kind === 'public' || channel.member)
        .map((channel) => channelOnWire(channel, world.team)),
      response_metadata: { next_cursor: '' },
    }),
  },
  'conversations.members': {
    scope: scopeFor('read'),
    run(args, { world }) {
      const channel = known(textAt(args, 'channel'), world)
      if ('error' in channel) return channel
      const there = (person: Person) =>
        person.bot ? channel.member : !person.deleted && (channel.shared || person.team === world.team)
      const members = world.people.filter(there).map((person) => person.id)
      return { ok: true, members, response_metadata: { next_cursor: '' } }
    },
  },
  'conversations.history': {
    scope: scopeFor('history'),
    run(args, { world }) {
      const channel = joined(textAt(args, 'channel'), world)
      if ('error' in channel) return channel
      const top = world.messages().filter(({ thread, onlyFor, ...one }) => {
        return one.channel === channel.id && thread === null && onlyFor === null
      })
      return page(top.filter(within(args)).reverse(), args, world)
    },
  },
  'conversations.replies': {
    scope: scopeFor('history'),
    run(args, { world }) {
      const channel = joined(textAt(args, 'channel'), world)
      if ('error' in channel) return channel
      const asked = world.find(channel.id, textAt(args, 'ts') ?? '')
      const parent = asked?.thread == null ? asked : world.find(channel.id, asked.thread)
      if (parent === null || parent.onlyFor !== null) return refuse('thread_not_found')
      // the first one is always there, whatever time is asked for
      return page([parent, ...repliesTo(parent, world).filter(within(args))], args, world)
    },
  },
  'users.info': {
    scope: 'users:read',
    run(args, { world }) {
      const person = world.people.find((one) => one.id === textAt(args, 'user'))
      return person === undefined ? refuse('user_not_found') : { ok: true, user: personOnWire(person, world.team) }
    },
  },
  'usergroups.list': {
    scope: 'usergroups:read',
    run(_, { world }) {
      if (world.refused.has('usergroups')) return refuse('plan_upgrade_required')
      const usergroups = [...world.groups.values()].map(({ id, handle, users }) => {
        return { id, handle, name: handle, team_id: world.team, user_count: users.length, date_delete: 0 }
      })
      return { ok: true, usergroups }
    },
  },
  'usergroups.users.list': {
    scope: 'usergroups:read',
    run(args, { world }) {
      if (world.refused.has('usergroups')) return refuse('plan_upgrade_required')
      const group = world.groups.get(textAt(args, 'usergroup') ?? '')
      return group === undefined ? refuse('no_such_subteam') : { ok: true, users: group.users }
    },
  },
}

/** `oldest` and `latest` are left out themselves unless `inclusive` is set. */
function within(args: Fields): (message: Message) => boolean {
  const { oldest, latest } = { oldest: textAt(args, 'oldest'), latest: textAt(args, 'latest') }
  const inclusive = flagAt(args, 'inclusive')
  return ({ ts }) => {
    if (inclusive && (ts === oldest || ts === latest)) return true
    return (oldest === null || Number(ts) > Number(oldest)) && (latest === null || Number(ts) < Number(latest))
  }
}

function page(messages: readonly Message[], args: Fields, world: World) {
  const limit = Math.min(numberAt(args, 'limit') ?? 100, 999)
  const from = numberAt(args, 'cursor') ?? 0
  const next = from + limit
  const all = flagAt(args, 'include_all_metadata')
  return {
    ok: true,
    messages: messages.slice(from, next).map((message) => messageOnWire(message, world, all)),
    has_more: next < messages.length,
    response_metadata: { next_cursor: next < messages.length ? String(next) : '' },
  } as const
}
