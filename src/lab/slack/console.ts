import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Team } from '../team.ts'
import { VIEWER } from './cast.ts'
import type { Doors } from './doors.ts'
import { encode } from './encode.ts'
import { isFromUs, readBody, sendJson } from './http.ts'
import type { Fields } from './json.ts'
import { isFields, parse, textAt } from './json.ts'
import { liveStream } from './live.ts'
import { pageFile, uploadedFile } from './page-files.ts'
import { isSeenBy, seatOf } from './seat.ts'
import type { Socket } from './socket.ts'
import type { KnownCommand, Typist } from './typist.ts'
import { buttonsOf } from './typist.ts'
import type { World } from './world.ts'

/** What the first page says. */
export interface Welcome {
  readonly commands: readonly KnownCommand[]
  /** lines that may be typed, with the reason to try them */
  readonly examples: readonly { readonly line: string; readonly why: string }[]
  /** the targets of the demo, in words */
  readonly targets: readonly { readonly name: string; readonly about: string }[]
}

export interface ConsoleNeeds {
  readonly world: World
  readonly typist: Typist
  readonly doors: Pick<Doors, 'invite'>
  readonly welcome: Welcome
  /** whose deeds the page offers beside the usual channel; null: nobody's */
  readonly team: Team | null
  /** answers whoever asks the console to prove which one it is; null: it does not */
  readonly prove: ((asked: string) => string) | null
  /** what the page shows where it asks for no other channel */
  readonly channel: string
  readonly socket: Pick<Socket, 'connections'>
  /** Tells when anything changed. Gives the way to stop. */
  onChange(listener: () => void): () => void
}

/** The console page, its live stream and what is typed and pressed on it. */
export interface Console {
  /** False where the path is none of the console's. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

const GUARDS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
const SAID_BYTES = 64 * 1024

export function createConsole(needs: ConsoleNeeds): Console {
  return {
    async answer(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
      for (const [name, value] of Object.entries(GUARDS)) response.setHeader(name, value)
      if (request.method === 'POST') return act(pathname, request, response, needs)
      if (pathname === '/live') return liveStream(request, response, needs)
      if (pathname === '/proof.json') return proof(searchParams.get('asked'), response, needs)
      if (pathname.startsWith('/files/')) return uploadedFile(pathname, response, needs.world)
      return pageFile(pathname === '/' ? '/index.html' : pathname, response)
    },
  }
}

function proof(asked: string | null, response: ServerResponse, { prove }: ConsoleNeeds): boolean {
  if (asked === null || prove === null) return false
  sendJson(response, 200, { proof: prove(asked) })
  return true
}

async function act(path: string, request: IncomingMessage, response: ServerResponse, needs: ConsoleNeeds) {
  const deeds: Readonly<Record<string, typeof say>> = { '/say': say, '/press': press, '/team': team }
  const deed = Object.hasOwn(deeds, path) ? deeds[path] : undefined
  if (deed === undefined) return false
  if (!isFromUs(request) || request.headers['content-type'] !== 'application/json') {
    sendJson(response, 403, { ok: false, error: 'Only the console page itself may do this.' })
    return true
  }
  const body = parse(String(await readBody(request, SAID_BYTES)), null)
  const done = isFields(body) && (await deed(body, needs))
  sendJson(response, done ? 200 : 400, { ok: done })
  return true
}

async function say(body: Fields, needs: ConsoleNeeds): Promise<boolean> {
  const { typist, world } = needs
  const { person, channel } = seatOf(body, needs)
  const text = textAt(body, 'text')?.trim() ?? ''
  const thread = textAt(body, 'thread')
  const known = needs.welcome.commands.map((command) => `/${command.word}`)
  if (text === '' || world.channel(channel)?.archived === true) return false
  const [, word = '', rest = ''] = /^(\/\S+)\s*([\s\S]*)$/.exec(text) ?? []
  if (word === '') typist.say(encode(text, world.people), thread, person, channel)
  else if (thread !== null) typist.notice(`${word} is not supported in threads. Sorry!`, thread, person, channel)
  else if (word === '/invite') invite(rest, { person, channel }, needs)
  else if (known.length === 0 || known.includes(word)) await typist.slash(word, rest, person, channel)
  else typist.notice(`${word} is not a valid command. Known here: ${known.join(', ')}.`, null, person, channel)
  return true
}

/** Slack's own command: the page knows nobody but the bot to invite. */
function invite(whom: string, { person, channel }: ReturnType<typeof seatOf>, { world, typist, doors }: ConsoleNeeds) {
  const { bot } = world
  const said = (text: string) => void typist.notice(text, null, person, channel)
  const place = world.channel(channel)
  if (whom.trim().toLowerCase() !== `@${bot.name}`) return said(`Invite the bot: /invite @${bot.name}`)
  if (place?.member === true) return said(`@${bot.name} is in this channel already.`)
  doors.invite(channel, person.id)
  world.post({ channel, user: bot.id, text: `<@${bot.id}> has joined the channel`, thread: null })
}

/** The team does its next deed, and Ben says so. */
async function team(_body: Fields, { team: people, world, typist }: ConsoleNeeds): Promise<boolean> {
  const said = people?.act() ?? null
  if (said === null) return false
  typist.say(encode(said, world.people), null, world.people.find(({ id }) => id === 'U0BEN') ?? VIEWER)
  return true
}

async function press(body: Fields, needs: ConsoleNeeds): Promise<boolean> {
  const { person, channel } = seatOf(body, needs)
  const message = needs.world.find(channel, textAt(body, 'ts') ?? '')
  if (message === null || !isSeenBy(person, message)) return false
  const same = (button: Fields, key: string) => button[key] === (body[key] ?? undefined)
  const button = buttonsOf(message).find((one) => same(one, 'action_id') && same(one, 'value'))
  if (button === undefined) return false
  await needs.typist.press(message, button, person)
  return true
}
