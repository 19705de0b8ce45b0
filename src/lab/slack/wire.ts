import type { Fields } from './json.ts'
import { fieldsIn, isFields } from './json.ts'
import type { Channel, Message, Person, StoredFile, World } from './world.ts'

/** A message as the Web API and events show it. */
export function messageOnWire(message: Message, world: World): Fields {
  const replies = repliesTo(message, world)
  const bot = message.user === world.bot.id
  return {
    type: 'message',
    user: message.user,
    team: world.team,
    ...(bot ? { bot_id: BOT_ID, app_id: world.app } : {}),
    text: message.text,
    ts: message.ts,
    ...(message.thread === null ? {} : { thread_ts: message.thread }),
    ...(message.blocks.length === 0 ? {} : { blocks: message.blocks }),
    ...(message.files.length === 0 ? {} : { files: message.files.map((file) => fileOnWire(file, world)) }),
    ...(message.metadata === null ? {} : { metadata: message.metadata }),
    ...(replies.length === 0 ? {} : { thread_ts: message.ts, reply_count: replies.length }),
  }
}

/** The `message` event that an app gets for every message, its own too. */
export function spoken(message: Message, world: World): Fields {
  return {
    ...messageOnWire(message, world),
    channel: message.channel,
    channel_type: 'channel',
    event_ts: message.ts,
    client_msg_id: crypto.randomUUID(),
  }
}

/** The replies of a thread that everybody sees, oldest first. */
export function repliesTo(message: Message, world: World): readonly Message[] {
  return world.messages().filter((reply) => reply.thread === message.ts && reply.onlyFor === null)
}

export function fileOnWire(file: StoredFile, world: World): Fields {
  const where = world.messages().filter((message) => message.files.includes(file))
  const shares = Object.groupBy(
    where.map((message) => ({ channel: message.channel, ts: message.ts, thread_ts: message.thread ?? undefined })),
    (share) => share.channel,
  )
  return { id: file.id, name: file.name, title: file.title, size: file.bytes.length, shares: { public: shares } }
}

export function personOnWire(person: Person, team: string): Fields {
  return {
    id: person.id,
    team_id: team,
    name: person.name,
    real_name: person.realName,
    deleted: false,
    is_admin: person.admin,
    is_owner: false,
    is_bot: person.bot,
    is_restricted: person.guest,
    is_ultra_restricted: false,
    profile: { display_name: person.name, real_name: person.realName },
  }
}

export function channelOnWire(channel: Channel, team: string): Fields {
  return {
    id: channel.id,
    name: channel.name,
    is_channel: true,
    is_private: false,
    is_archived: false,
    is_member: channel.member,
    is_shared: channel.shared,
    is_ext_shared: channel.shared,
    is_pending_ext_shared: false,
    is_org_shared: false,
    context_team_id: team,
  }
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
