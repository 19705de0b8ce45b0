import type { Channel } from './cast.ts'
import type { Refusal } from './validate.ts'
import { refuse } from './validate.ts'
import type { World } from './world.ts'

/** The channel of this id, as far as the bot may know of it: a private one without the bot is not there at all. */
export function known(id: string | null, world: World): Channel | Refusal {
  const channel = world.channel(id)
  if (channel === null) return refuse('channel_not_found')
  return channel.kind !== 'public' && !channel.member ? refuse('channel_not_found') : channel
}

/** The channel, where the bot is in it. */
export function joined(id: string | null, world: World): Channel | Refusal {
  const channel = known(id, world)
  return 'error' in channel || channel.member ? channel : refuse('not_in_channel')
}

/** The channel, where the bot may write in it. */
export function writable(id: string | null, world: World): Channel | Refusal {
  const channel = joined(id, world)
  return 'error' in channel || !channel.archived ? channel : refuse('is_archived')
}

/** The scope of this kind of channel: `channels:read`, `groups:read`, `im:read`. */
export function scopeFor(what: 'read' | 'history') {
  return (args: { readonly channel?: unknown }, world: World): string => {
    const kind = world.channel(String(args.channel))?.kind ?? 'public'
    return `${{ public: 'channels', private: 'groups', im: 'im' }[kind]}:${what}`
  }
}
