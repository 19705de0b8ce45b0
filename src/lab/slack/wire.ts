import type { Channel, Person } from './cast.ts'
import { OTHER_TEAM } from './cast.ts'
import type { Fields } from './json.ts'
import { fieldsIn, isFields } from './json.ts'
import type { Message, StoredFile, World } from './world.ts'

/** A message as the Web API and events show it. Of metadata only its type, unless `all` of it is asked for. */
export function messageOnWire(message: Message, world: World, all = false): Fields {
  const replies = repliesTo(message, world)
  const by = world.people.find((one) => one.id === message.user)
  const ours = message.user === world.bot.id
  return {
    type: 'message',
    user: message.user,
    team: by?.team ?? world.team,
    ...(ours ? { bot_id: BOT_ID, app_id: world.app } : {}),
    ...(by?.bot === true && !ours ? { bot_id: `B${message.user}` } : {}),
    ...(world.channel(message.channel)?.shared === true ? teamsOf(by, world) : {}),
    text: message.text,
    ts: message.ts,
    ...(message.thread === null ? {} : { thread_ts: message.thread }),
    ...(message.blocks.length === 0 ? {} : { blocks: message.blocks }),
    ...(message.files.length === 0 ? {} : { files: message.files.map((file) => fileOnWire(file, world)) }),
    ...(isFields(message.metadata) ? { metadata: all ? message.metadata : typeIn(message.metadata) } : {}),
    ...(replies.length === 0 ? {} : { thread_ts: message.ts, reply_count: replies.length }),
  }
}

/** In shared channels Slack says besides whose member the sender is. */
function teamsOf(by: Person | undefined, world: World): Fields {
  return { user_team: by?.team ?? world.team, source_team: by?.team ?? world.team }
}

function typeIn(metadata: Fields): Fields {
  return { event_type: metadata['event_type'] }
}

/** The `message` event that an app gets for every message, its own too. */
export function spoken(message: Message, world: World): Fields {
  return {
    ...messageOnWire(message, world),
    ...(message.files.length === 0 ? {} : { subtype: 'file_share' }),
    channel: message.channel,
    channel_type: channelType(world.channel(message.channel)),
    event_ts: message.ts,
    client_msg_id: crypto.randomUUID(),
  }
}

/** The replies of a thread that everybody sees, oldest first. */
export function repliesTo(message: Message, world: World): readonly Message[] {
  return world.replies(message.ts).filter((reply) => reply.onlyFor === null)
}

export function fileOnWire(file: StoredFile, world: World): Fields {
  const where = world.messages().filter((message) => message.files.includes(file))
  const shares = Object.groupBy(
    where.map((message) => ({ channel: message.channel, ts: message.ts, thread_ts: message.thread ?? undefined })),
    (share) => share.channel,
  )
  return { id: file.id, name: file.name, title: file.title, size: file.bytes.length, shares: { public: shares } }
}

/** What `users.info` tells. Of a closed account Slack tells no flags. */
export function personOnWire(person: Person, team: string): Fields {
  const base = {
    id: person.id,
    team_id: person.team,
    name: person.name,
    real_name: person.realName,
    deleted: person.deleted,
    is_bot: person.bot,
    profile: { display_name: person.name, real_name: person.realName },
  }
  if (person.deleted) return base
  const stranger = person.team === team ? {} : { is_stranger: true }
  const guest = { is_restricted: person.guest, is_ultra_restricted: person.ultra }
  return { ...base, is_admin: person.admin, is_owner: false, ...guest, ...stranger }
}

/** What `conversations.info` tells. */
export function channelOnWire(channel: Channel, team: string): Fields {
  if (channel.kind === 'im') {
    return {
      id: channel.id,
      is_im: true,
      is_archived: false,
      is_org_shared: false,
      context_team_id: team,
      user: 'U0ANNA',
    }
  }
  return {
    id: channel.id,
    name: channel.name,
    is_channel: true,
    is_im: false,
    is_private: channel.kind === 'private',
    is_archived: channel.archived,
    is_member: channel.member,
    is_shared: channel.shared,
    is_ext_shared: channel.shared,
    is_pending_ext_shared: channel.pending,
    is_org_shared: false,
    context_team_id: team,
    ...(channel.shared ? { connected_team_ids: [OTHER_TEAM] } : {}),
  }
}

/** `channel_type` of an event. */
export function channelType(channel: Channel | null): 'channel' | 'group' | 'im' {
  if (channel?.kind === 'im') return 'im'
  return channel?.kind === 'private' ? 'group' : 'channel'
}

export const BOT_ID = 'B0PILOT'

/** Gives every block its block_id and every button its action_id, as Slack does where the app gave none. */
export function withIds(blocks: readonly Fields[], id: (prefix: string) => string): readonly Fields[] {
  const element = (value: Fields) =>
    typeof value['action_id'] === 'string' || value['type'] === 'image' ? value : { ...value, action_id: id('act') }
  return blocks.map((block) => ({
    ...block,
    block_id: block['block_id'] ?? id('blk'),
    ...(block['type'] === 'actions' ? { elements: fieldsIn(block['elements']).map(element) } : {}),
    ...(isFields(block['accessory']) ? { accessory: element(block['accessory']) } : {}),
    ...(block['type'] === 'container' ? { child_blocks: withIds(fieldsIn(block['child_blocks']), id) } : {}),
  }))
}
