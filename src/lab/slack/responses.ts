import type { Fields } from './json.ts'
import { flagAt, textAt } from './json.ts'
import { PACE } from './limits.ts'
import { readContent } from './validate.ts'
import { withIds } from './wire.ts'
import type { Message, World } from './world.ts'

/** Where a response_url leads: the channel and the person that it was given for, and the message that was pressed. */
export interface Origin {
  readonly channel: string
  readonly person: string
  /** null for a slash command */
  readonly message: Message | null
}

/** The response_urls that were given out: five uses in thirty minutes each. */
export interface Responses {
  /** The path of a new one. */
  open(origin: Origin): string
  /** The channel and the person that it was given for; empty for an unknown one. */
  placeOf(id: string): Fields
  /** Status and body of the answer to a POST. */
  use(id: string, body: Fields): { readonly status: number; readonly answer: Fields }
  /** What the app said to a command in its acknowledgement or by response_url. */
  answer(origin: Origin, body: Fields): Fields
}

export function createResponses(world: World): Responses {
  const given = new Map<string, { readonly origin: Origin; readonly at: number; uses: number }>()
  const answer = (origin: Origin, body: Fields) => respond(world, origin, body)
  return {
    answer,
    open(origin) {
      const id = crypto.randomUUID()
      given.set(id, { origin, at: world.now(), uses: 0 })
      return `/respond/${id}`
    },
    placeOf(id) {
      const origin = given.get(id)?.origin
      return origin === undefined ? {} : { channel: origin.channel, user: origin.person }
    },
    use(id, body) {
      const known = given.get(id)
      if (known === undefined) return { status: 404, answer: { ok: false, error: 'invalid_url' } }
      if (world.now() - known.at > PACE.responseMs) return { status: 404, answer: { ok: false, error: 'expired_url' } }
      if (known.uses >= PACE.responses) return { status: 404, answer: { ok: false, error: 'used_url' } }
      known.uses += 1
      const said = answer(known.origin, body)
      return { status: said['ok'] === true ? 200 : 400, answer: said }
    },
  }
}

function respond(world: World, origin: Origin, body: Fields): Fields {
  const current = origin.message === null ? null : world.find(origin.channel, origin.message.ts)
  if (flagAt(body, 'delete_original') && current !== null) {
    world.remove(current)
    return { ok: true }
  }
  const content = readContent(body, 'post', world.refused)
  if (!content.ok) return content
  const blocks = withIds(content.blocks ?? [], world.id)
  if (content.text === '' && blocks.length === 0) return { ok: false, error: 'no_text' }
  if (flagAt(body, 'replace_original') && current !== null) {
    world.change(current, { text: content.text, blocks })
    return { ok: true }
  }
  world.post({
    channel: origin.channel,
    user: world.bot.id,
    text: content.text,
    blocks,
    thread: textAt(body, 'thread_ts'),
    onlyFor: textAt(body, 'response_type') === 'in_channel' ? null : origin.person,
  })
  return { ok: true }
}
