import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { Clock } from '../../domain/ports.ts'
import type { Team } from '../team.ts'
import { createBell } from './bell.ts'
import type { Channel, Person } from './cast.ts'
import type { Welcome } from './console.ts'
import { createConsole } from './console.ts'
import type { Doors } from './doors.ts'
import { createDoors } from './doors.ts'
import type { Abandoned } from './events.ts'
import { createEvents } from './events.ts'
import type { Hands } from './hands.ts'
import { createHands } from './hands.ts'
import type { Fields } from './json.ts'
import { createResponses } from './responses.ts'
import { route } from './route.ts'
import type { Ack, Socket, SocketHands } from './socket.ts'
import { createSocket } from './socket.ts'
import type { TroubleHands } from './trouble.ts'
import { createTrouble } from './trouble.ts'
import { createTypist } from './typist.ts'
import type { Call } from './web-api.ts'
import type { Cast } from './world.ts'
import { createWorld } from './world.ts'

export interface SlackOptions extends Partial<Welcome>, Cast {
  /** 0: any free one */
  readonly port: number
  /** by `monotonic` the enforced pace is measured; where it is missing, by `now` */
  readonly clock?: Pick<Clock, 'now'> & Partial<Pick<Clock, 'monotonic'>>
  /** whose deeds the page offers beside the usual channel */
  readonly team?: Team
  /** what the console says where `/proof.json?asked=` asks it to prove which one it is; absent: nothing */
  readonly prove?: ((asked: string) => string) | undefined
  /** the bot's scopes; by default all that Pilotflame asks for */
  readonly scopes?: readonly string[]
  /** the events that the app subscribed to, such as `message.groups`; by default all */
  readonly events?: readonly string[]
  /** how long an envelope waits for its acknowledgement; 3,000 as in Slack */
  readonly ackMs?: number
}

/** A Slack on this machine: Web API, Socket Mode, and a page on which people type. Listens on 127.0.0.1 only. */
export interface SlackStandIn extends Hands, SocketHands, Doors, TroubleHands {
  /** `http://127.0.0.1:7331`: the console page */
  readonly url: string
  /** `http://127.0.0.1:7331/api/`: Bolt's slackApiUrl */
  readonly apiUrl: string
  readonly botToken: string
  readonly appToken: string
  readonly team: string
  /** the bot's user id */
  readonly botUser: string
  readonly people: readonly Person[]
  /** as they are now */
  readonly channels: readonly Channel[]
  /** the Web API calls so far, oldest first, and what went wrong with each; the last 2,000, or `keep` */
  calls(): readonly Call[]
  /** Sends a payload of the Events API as it is. `retry`: as the how-manieth repetition; 0 by default. */
  raw(payload: Fields, retry?: number): Promise<Ack>
  /** Sends what is due by the clock, after a test has moved it. */
  tick(): void
  /** how many events wait for their time or for a connection */
  waiting(): number
  /** the latest events that were given up, after four tries that nobody acknowledged */
  abandoned(): readonly Abandoned[]
  /** Waits until `look` finds something, looking again after every change. Rejects after `withinMs`. */
  until<T>(look: () => T | null | undefined | false, withinMs?: number): Promise<T>
  close(): Promise<void>
}

const SCOPES = [
  'commands',
  'chat:write',
  'app_mentions:read',
  'channels:history',
  'groups:history',
  'channels:read',
  'groups:read',
  'files:write',
  'files:read',
  'users:read',
  'reactions:write',
  'usergroups:read',
]
const KEPT_CALLS = 2_000
const HOME = 'C0GPU'

/** Starts the stand-in. Rejects where the port is taken. */
export async function startSlack(options: SlackOptions): Promise<SlackStandIn> {
  const server = createServer()
  const port = await listen(server, options.port)
  const url = `http://127.0.0.1:${port}`
  const tokens = { botToken: `xoxb-stand-in-${crypto.randomUUID()}`, appToken: `xapp-stand-in-${crypto.randomUUID()}` }
  const bell = createBell()
  const world = createWorld(options.clock ?? Date, options)
  const socket = createSocket(world.app, bell.ring, options.ackMs)
  const responses = createResponses(world)
  const events = createEvents(world, socket, options.events ?? null, bell.ring)
  const typist = createTypist({ world, socket, responses, url, channel: HOME, event: events.send })
  const trouble = createTrouble(world, socket, options.clock ?? Date)
  const calls = createRecord(bell.ring, options.keep ?? KEPT_CALLS)
  const desk = { world, url, ticket: () => socket.ticket(url) }
  const api = { desk, ...trouble, ...tokens, scopes: options.scopes ?? SCOPES, record: calls.add }
  const doors = createDoors(world, events)
  const hands = { world, typist, socket, doors, channel: HOME }
  const { team = null, prove = null } = options
  const page = createConsole({ ...hands, welcome: welcomeOf(options), team, prove, onChange: bell.on })
  const needs = { port, api, world, responses, page, outage: trouble.downtime }
  world.watch(events.tell)
  world.watch(bell.ring)
  bell.on(events.flush)
  server.on('request', (request, response) => void route(request, response, needs))
  server.on('upgrade', socket.upgrade)
  return {
    url,
    apiUrl: `${url}/api/`,
    ...tokens,
    team: world.team,
    botUser: world.bot.id,
    people: world.people,
    get channels() {
      return world.channels
    },
    ...createHands(world, typist, HOME),
    ...doors,
    ...trouble.hands,
    calls: calls.all,
    connections: socket.connections,
    disconnect: socket.disconnect,
    trouble: socket.trouble,
    raw: (payload, retry) => socket.send('events_api', payload, false, retry),
    resend: socket.resend,
    strangers: socket.strangers,
    tick: events.tick,
    waiting: events.waiting,
    abandoned: events.abandoned,
    until: bell.until,
    async close() {
      events.close()
      await stop(server, socket)
    },
  }
}

function welcomeOf({ commands = [], examples = [], targets = [] }: SlackOptions): Welcome {
  return { commands, examples, targets }
}

function createRecord(changed: () => void, most: number) {
  const calls: Call[] = []
  return {
    all: () => calls,
    add(call: Call) {
      calls.push(call)
      if (calls.length > most) calls.shift()
      changed()
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

async function stop(server: Server, socket: Socket): Promise<void> {
  await socket.close()
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
