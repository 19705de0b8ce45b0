import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { Clock } from '../../domain/ports.ts'
import { createBell } from './bell.ts'
import type { Welcome } from './console.ts'
import { createConsole } from './console.ts'
import { createEvents } from './events.ts'
import type { Fault } from './faults.ts'
import { createFaults } from './faults.ts'
import type { Hands } from './hands.ts'
import { createHands } from './hands.ts'
import type { Fields } from './json.ts'
import { createResponses } from './responses.ts'
import { route } from './route.ts'
import type { Ack, Socket, SocketHands } from './socket.ts'
import { createSocket } from './socket.ts'
import { createTypist } from './typist.ts'
import type { Call } from './web-api.ts'
import type { Channel, Person } from './world.ts'
import { createWorld } from './world.ts'

export interface SlackOptions extends Partial<Welcome> {
  /** 0: any free one */
  readonly port: number
  readonly clock?: Pick<Clock, 'now'>
  /** the bot's scopes; by default all that Pilotflame asks for */
  readonly scopes?: readonly string[]
}

/** A Slack on this machine: Web API, Socket Mode, and a page on which people type. Listens on 127.0.0.1 only. */
export interface SlackStandIn extends Hands, SocketHands {
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
  readonly channels: readonly Channel[]
  /** the Web API calls so far, oldest first; the last 2,000 */
  calls(): readonly Call[]
  /** Sends a payload of the Events API as it is. */
  raw(payload: Fields): Promise<Ack>
  /** The next `times` calls of a Web API method go wrong. */
  fault(method: string, fault: Fault, times?: number): void
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
  const world = createWorld(options.clock ?? Date)
  const socket = createSocket(world.app, bell.ring)
  const responses = createResponses(world)
  const events = createEvents(world, socket)
  const typist = createTypist({ world, socket, responses, url, channel: HOME, event: events.send })
  const faults = createFaults()
  const calls = createRecord(bell.ring)
  const desk = { world, url, ticket: () => socket.ticket(url) }
  const api = { desk, faults, ...tokens, scopes: options.scopes ?? SCOPES, record: calls.add }
  const page = createConsole({ world, typist, socket, welcome: welcomeOf(options), channel: HOME, onChange: bell.on })
  world.watch(events.tell)
  world.watch(bell.ring)
  bell.on(events.flush)
  server.on('request', (request, response) => void route(request, response, { port, api, world, responses, page }))
  server.on('upgrade', socket.upgrade)
  return {
    url,
    apiUrl: `${url}/api/`,
    ...tokens,
    team: world.team,
    botUser: world.bot.id,
    people: world.people,
    channels: world.channels,
    ...createHands(world, typist, HOME),
    calls: calls.all,
    connections: socket.connections,
    fault: (method, fault, times = 1) => faults.add(method, fault, times),
    disconnect: socket.disconnect,
    trouble: socket.trouble,
    raw: (payload) => socket.send('events_api', payload, false),
    resend: socket.resend,
    strangers: socket.strangers,
    until: bell.until,
    close: () => stop(server, socket),
  }
}

function welcomeOf({ commands = [], examples = [], targets = [] }: SlackOptions): Welcome {
  return { commands, examples, targets }
}

function createRecord(changed: () => void) {
  const calls: Call[] = []
  return {
    all: () => calls,
    add(call: Call) {
      calls.push(call)
      if (calls.length > KEPT_CALLS) calls.shift()
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
