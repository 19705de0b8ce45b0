import type { Events } from './events.ts'
import type { Fields } from './json.ts'
import { channelType } from './wire.ts'
import type { World } from './world.ts'

/** What people do with channels and groups, and the events by which the app hears of it. */
export interface Doors {
  /** Invites the bot. */
  invite(channel: string, by?: string): void
  /** Takes the bot out. */
  kick(channel: string, by?: string): void
  archive(channel: string, by?: string): void
  /** Connects a channel with another organisation, or ends it. */
  share(channel: string, shared: boolean): void
  /** Says anew who is in a user group. */
  group(id: string, users: readonly string[]): void
}

export function createDoors(world: World, events: Events): Doors {
  const at = () => ({ event_ts: world.stamp() })
  const isPrivate = (channel: string) => world.channel(channel)?.kind === 'private'
  return {
    invite(channel, by = 'U0ANNA') {
      world.alter(channel, { member: true })
      const kind = channelType(world.channel(channel)) === 'group' ? 'G' : 'C'
      const joined: Fields = { user: world.bot.id, channel, channel_type: kind, team: world.team, inviter: by, ...at() }
      events.send({ type: 'member_joined_channel', ...joined })
      events.send(joinMessage(channel, by, world))
    },
    kick(channel, by = 'U0ANNA') {
      world.alter(channel, { member: false })
      events.send({ type: isPrivate(channel) ? 'group_left' : 'channel_left', channel, actor_id: by, ...at() })
    },
    archive(channel, by = 'U0ANNA') {
      world.alter(channel, { archived: true })
      const type = isPrivate(channel) ? 'group_archive' : 'channel_archive'
      events.send({ type, channel, user: by, is_moved: 0, ...at() })
    },
    share: (channel, shared) => world.alter(channel, { shared, pending: false }),
    group(id, users) {
      const before = world.groups.get(id) ?? { id, handle: id.toLowerCase(), users: [] }
      world.groups.set(id, { ...before, users })
      const added = users.filter((user) => !before.users.includes(user))
      const removed = before.users.filter((user) => !users.includes(user))
      const counts = { added_users_count: added.length, removed_users_count: removed.length }
      const changes = { added_users: added, removed_users: removed, ...counts }
      events.send({ type: 'subteam_members_changed', subteam_id: id, team_id: world.team, ...changes, ...at() })
    },
  }
}

/** The line that Slack itself writes into the channel. */
function joinMessage(channel: string, by: string, world: World): Fields {
  const ts = world.stamp()
  const place = { channel, channel_type: channelType(world.channel(channel)) }
  const text = `<@${world.bot.id}> has joined the channel`
  return { type: 'message', subtype: 'channel_join', user: world.bot.id, inviter: by, text, ts, event_ts: ts, ...place }
}
