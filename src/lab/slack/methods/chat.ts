import type { Fields } from '../json.ts'
import { structureAt, textAt } from '../json.ts'
import { known, writable } from '../places.ts'
import type { Content, Refusal } from '../validate.ts'
import { readContent, refuse } from '../validate.ts'
import { messageOnWire, withIds } from '../wire.ts'
import type { Message, World } from '../world.ts'
import type { Method, Reply } from './method.ts'

/** Posting, changing and taking back messages. */
export const chat: Readonly<Record<string, Method>> = {
  'chat.postMessage': {
    scope: 'chat:write',
    run(args, { world }) {
      const content = readPost(args, world)
      if (!content.ok) return content
      const message = world.post({ ...draft(args, content, world), metadata: structureAt(args, 'metadata') ?? null })
      return posted(message, world, content.warning)
    },
  },
  'chat.postEphemeral': {
    scope: 'chat:write',
    run(args, { world }) {
      const content = readPost(args, world)
      if (!content.ok) return content
      const user = textAt(args, 'user')
      if (!world.people.some((person) => person.id === user)) return refuse('user_not_in_channel')
      const message = world.post({ ...draft(args, content, world), onlyFor: user })
      return { ok: true, message_ts: message.ts }
    },
  },
  'chat.update': {
    scope: 'chat:write',
    run(args, { world }) {
      const message = ownMessage(args, world)
      if ('error' in message) return message
      const content = readContent(args, 'update', world.refused)
      if (!content.ok) return content
      if (mismatch(message.blocks, content.blocks)) return refuse('block_mismatch')
      const changed = world.change(message, changes(args, content, world))
      return { ok: true, channel: changed.channel, ts: changed.ts, text: changed.text }
    },
  },
  'chat.delete': {
    scope: 'chat:write',
    run(args, { world }) {
      const message = ownMessage(args, world)
      if ('error' in message) return message
      world.remove(message)
      return { ok: true, channel: message.channel, ts: message.ts }
    },
  },
  'chat.getPermalink': {
    scope: null,
    run(args, { world, url }) {
      const message = world.find(textAt(args, 'channel') ?? '', textAt(args, 'message_ts') ?? '')
      if (message === null) return refuse('message_not_found')
      return { ok: true, channel: message.channel, permalink: `${url}/#${message.ts}` }
    },
  },
}

type Good = Extract<Content, { readonly ok: true }>

function readPost(args: Fields, world: World): Content {
  const channel = writable(textAt(args, 'channel'), world)
  if ('error' in channel) return channel
  const thread = textAt(args, 'thread_ts')
  if (thread !== null && world.find(channel.id, thread) === null) return refuse('thread_not_found')
  const content = readContent(args, 'post', world.refused)
  if (content.ok && content.text === '' && (content.blocks ?? []).length === 0) return refuse('no_text')
  return content
}

function draft(args: Fields, content: Good, world: World) {
  return {
    channel: textAt(args, 'channel') ?? '',
    user: world.bot.id,
    text: content.text,
    blocks: withIds(content.blocks ?? [], world.id),
    thread: textAt(args, 'thread_ts'),
  }
}

function posted(message: Message, world: World, warning: string | undefined): Reply {
  const shown = messageOnWire(message, world, true)
  const answer = { ok: true, channel: message.channel, ts: message.ts, message: shown } as const
  return warning === undefined ? answer : { ...answer, warning, response_metadata: { warnings: [warning] } }
}

function ownMessage(args: Fields, world: World): Message | Refusal {
  const channel = known(textAt(args, 'channel'), world)
  if ('error' in channel) return channel
  if (channel.archived) return refuse('is_inactive')
  const message = world.find(channel.id, textAt(args, 'ts') ?? '')
  if (message === null || message.onlyFor !== null) return refuse('message_not_found')
  return message.user === world.bot.id ? message : refuse('cant_update_message')
}

/** Rich text is not replaced by blocks of other kinds. */
function mismatch(before: Message['blocks'], after: Good['blocks']): boolean {
  const isRich = (block: Fields): boolean => block['type'] === 'rich_text'
  return after !== null && after.length > 0 && before.some(isRich) && !after.some(isRich)
}

/** Only text given: the old blocks go. Neither given: both stay. */
function changes(args: Fields, content: Good, world: World): Partial<Message> {
  const text = textAt(args, 'text')
  if (content.blocks === null && text === null && content.text === '') return {}
  return { text: content.text, blocks: withIds(content.blocks ?? [], world.id) }
}
