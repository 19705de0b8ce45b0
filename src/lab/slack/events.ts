import type { Channel } from './cast.ts'
import type { Fields } from './json.ts'
import type { Ack, Socket } from './socket.ts'
import { channelType, messageOnWire, spoken } from './wire.ts'
import type { Change, World } from './world.ts'

/** The Events API over the socket. Events wait for an app that is not connected (commands do not). */
export interface Events {
  send(event: Fields): void
  /** Sends the event of a changed message, where the bot is there to hear it. */
  tell(change: Change): void
  /** Sends what waited, once there is a connection again. */
  flush(): void
  /** Sends what the clock says is due: late events, and repetitions of those that were not acknowledged. */
  tick(): void
  /** how many wait for their time or for a connection */
  waiting(): number
  /** the latest of those that Slack gave up, after four tries that nobody acknowledged */
  abandoned(): readonly Abandoned[]
  close(): void
}

/** An event that reached nobody. */
export interface Abandoned {
  /** ts of the message that it told of */
  readonly ts: string
  readonly tries: readonly Try[]
}

interface Try {
  /** epoch ms */
  readonly at: number
  readonly ack: Ack
}

interface Unsent {
  readonly payload: Fields
  /** the how-manieth repetition */
  readonly retry: number
  /** those that Slack counts: without a connection it only waits */
  readonly tries?: readonly Try[]
}

interface Late extends Unsent {
  /** epoch ms */
  readonly due: number
}

const KEPT = 2_000

/** After the first try at once, a minute later and five minutes later; then Slack gives an event up. */
const REPEATED_MS = [0, 60_000, 300_000] as const

/** `subscribed`: the events of the app's manifest, such as `message.groups`; null: all. */
export function createEvents(
  world: World,
  socket: Socket,
  subscribed: readonly string[] | null,
  changed: () => void,
): Events {
  const waiting: Unsent[] = []
  const abandoned: Abandoned[] = []
  const late = latecomers(world, (one) => void deliver(one), changed)
  const deliver = async (one: Unsent): Promise<void> => {
    const { payload, retry } = one
    const at = Date.now()
    const ack = await socket.send('events_api', payload, false, retry)
    if (ack.ok) return
    if (ack.error === 'dispatch_failed') {
      waiting.push(one)
      if (waiting.length > KEPT) waiting.shift()
      return
    }
    const next = { payload, retry: retry + 1, tries: [...(one.tries ?? []), { at, ack }] }
    const pause = REPEATED_MS[retry]
    if (pause === 0) return deliver(next)
    if (pause !== undefined) return late.wait({ ...next, due: world.now() + pause })
    abandoned.push({ ts: tsOf(payload), tries: next.tries })
    if (abandoned.length > KEPT) abandoned.shift()
  }
  const send = (event: Fields) => {
    if (subscribed !== null && !subscribed.includes(nameOf(event))) return
    const payload = envelope(event, world)
    const fault = socket.late()
    if (fault === null) void deliver({ payload, retry: 0 })
    else late.wait({ payload, retry: fault.retry ?? 0, due: world.now() + fault.ms })
  }
  return {
    send,
    tick: late.tick,
    waiting: () => late.count() + waiting.length,
    abandoned: () => abandoned,
    tell(change) {
      const isThere = world.channel(change.message.channel)?.member === true
      if (isThere && change.message.onlyFor === null) send(eventOf(change, world))
    },
    flush() {
      if (socket.connections() === 0) return
      for (const one of waiting.splice(0)) void deliver(one)
    },
    close: late.close,
  }
}

/** Those that have a time. */
function latecomers(world: World, deliver: (one: Unsent) => void, changed: () => void) {
  const late: Late[] = []
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function wake(): void {
    clearTimeout(timer)
    const next = Math.min(...late.map(({ due }) => due))
    if (late.length > 0 && !isClosed) timer = setTimeout(tick, Math.max(LEAST_MS, next - world.now())).unref()
  }
  function tick(): void {
    const due = late.filter((one) => one.due <= world.now()).toSorted((one, other) => one.due - other.due)
    for (const one of due) late.splice(late.indexOf(one), 1)
    for (const one of due) deliver(one)
    wake()
  }
  return {
    tick,
    count: () => late.length,
    wait(one: Late): void {
      late.push(one)
      if (late.length > KEPT) late.shift()
      wake()
      changed()
    },
    close(): void {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** A clock that a test moves does not run by itself: the timer must not spin. */
const LEAST_MS = 50

function tsOf(payload: Fields): string {
  const event: unknown = payload['event']
  return typeof event === 'object' && event !== null && 'ts' in event ? String(event.ts) : ''
}

/** As manifests name it: `message.channels`, `app_mention`. */
function nameOf(event: Fields): string {
  if (event['type'] !== 'message') return String(event['type'])
  return `message.${event['channel_type'] === 'im' ? 'im' : `${String(event['channel_type'])}s`}`
}

/** Every message is told, the bot's own too; and so is every change, which is how bots answer themselves. */
function eventOf({ kind, message, before }: Change, world: World): Fields {
  if (before === null) return spoken(message, world)
  const place = { channel: message.channel, channel_type: channelType(world.channel(message.channel)) }
  const event = { type: 'message', hidden: true, ...place, ts: world.stamp() }
  const previous = { previous_message: messageOnWire(before, world) }
  return kind === 'gone'
    ? { ...event, ...previous, subtype: 'message_deleted', deleted_ts: message.ts }
    : { ...event, ...previous, subtype: 'message_changed', message: messageOnWire(message, world) }
}

function envelope(event: Fields, world: World): Fields {
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
    is_ext_shared_channel: channelOf(event, world)?.shared ?? false,
    event,
  }
}

function channelOf(event: Fields, world: World): Channel | null {
  const channel = event['channel']
  return world.channel(typeof channel === 'string' ? channel : null)
}
