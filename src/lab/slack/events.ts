import type { Fields } from './json.ts'
import type { Socket } from './socket.ts'
import { messageOnWire, spoken } from './wire.ts'
import type { Change, World } from './world.ts'

/** The Events API over the socket. Events wait for an app that is not connected (commands do not). */
export interface Events {
  send(event: Fields): void
  /** Sends the event of a changed message. */
  tell(change: Change): void
  /** Sends what waited, once there is a connection again. */
  flush(): void
}

const KEPT = 200

export function createEvents(world: World, socket: Socket): Events {
  const waiting: Fields[] = []
  const deliver = async (payload: Fields, retry = 0): Promise<void> => {
    const ack = await socket.send('events_api', payload, false, retry)
    if (ack.ok) return
    if (ack.error === 'operation_timeout' && retry === 0) return deliver(payload, 1)
    waiting.push(payload)
    if (waiting.length > KEPT) waiting.shift()
  }
  const send = (event: Fields) => void deliver(envelope(event, world))
  return {
    send,
    tell(change) {
      if (change.message.onlyFor === null) send(eventOf(change, world))
    },
    flush() {
      if (socket.connections() === 0) return
      for (const payload of waiting.splice(0)) void deliver(payload)
    },
  }
}

/** Every message is told, the bot's own too; and so is every change, which is how bots answer themselves. */
function eventOf({ kind, message, before }: Change, world: World): Fields {
  if (before === null) return spoken(message, world)
  const event = { type: 'message', hidden: true, channel: message.channel, channel_type: 'channel', ts: world.stamp() }
  const previous = { previous_message: messageOnWire(before, world) }
  return kind === 'gone'
    ? { ...event, ...previous, subtype: 'message_deleted', deleted_ts: message.ts }
    : { ...event, ...previous, subtype: 'message_changed', message: messageOnWire(message, world) }
}

function envelope(event: Fields, world: World): Fields {
  const channel = world.channels.find((one) => one.id === event['channel'])
  return {
    type: 'event_callback',
    token: 'stand-in',
    team_id: world.team,
    context_team_id: world.team,
    context_enterprise_id: null,
    api_app_id: world.app,
    event_id: world.id('Ev'),
    event_time: Math.floor(world.now() / 1000),
    authorizations: [
      { enterprise_id: null, team_id: world.team, user_id: world.bot.id, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: channel?.shared ?? false,
    event,
  }
}
