import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConsoleNeeds } from './console.ts'
import { isSeenBy, rooms, seatOf, seats } from './seat.ts'
import type { Message, StoredFile } from './world.ts'

/** Everything that the page shows, at first and as it changes, as server-sent events: hello, put, gone, connections, team. */
export function liveStream(request: IncomingMessage, response: ServerResponse, needs: ConsoleNeeds): boolean {
  const { world, socket } = needs
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (event: string, data: unknown) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  const asked = Object.fromEntries(new URL(request.url ?? '/', 'http://stand-in').searchParams)
  const { person, channel } = seatOf(asked, needs)
  const shown = (message: Message) => message.channel === channel && isSeenBy(person, message)
  send('hello', {
    ...needs.welcome,
    viewer: person.id,
    seats: seats(world).map(({ id, realName }) => ({ id, name: realName })),
    rooms: rooms(world).map(({ id, name, archived }) => ({ id, name: `#${name}`, archived })),
    bot: world.bot.id,
    people: world.people.map(({ id, realName, bot }) => ({ id, name: realName, bot })),
    room: channel,
    channel: world.channel(channel)?.name,
    connections: socket.connections(),
    team: teamAt(channel, needs),
    messages: world.messages().filter(shown).map(forPage),
  })
  let connections = socket.connections()
  const sendConnections = () => {
    if (connections === socket.connections()) return
    connections = socket.connections()
    send('connections', connections)
  }
  let team = JSON.stringify(teamAt(channel, needs))
  const sendTeam = () => {
    const now = JSON.stringify(teamAt(channel, needs))
    if (team !== now) send('team', teamAt(channel, needs))
    team = now
  }
  const stops = [
    world.watch(({ kind, message }) => shown(message) && send(kind, forPage(message))),
    needs.onChange(sendConnections),
    needs.onChange(sendTeam),
  ]
  const beat = setInterval(() => response.write(': still here\n\n'), 15_000)
  request.on('close', () => {
    clearInterval(beat)
    for (const stop of stops) stop()
  })
  return true
}

/** What the team may do next; null in a channel that is not theirs. */
function teamAt(channel: string, { team, channel: home }: ConsoleNeeds) {
  if (team === null || channel !== home) return null
  const next = team.next()
  return {
    target: team.target,
    next,
    restart: team.isDue() ? team.restart : null,
    proof: next === null && !team.isProved() ? team.proof : null,
  }
}

function forPage(message: Message) {
  return { ...message, metadata: undefined, files: message.files.map(fileForPage) }
}

/** bytes of a text file that are shown under its name */
const PREVIEW = 600

function fileForPage({ id, name, title, bytes }: StoredFile) {
  const picture = name.endsWith('.png')
  // a character may be cut in its middle
  const preview = picture
    ? ''
    : bytes
        .subarray(0, PREVIEW)
        .toString('utf8')
        .replace(/\uFFFD$/, '')
  return { id, name, title, size: bytes.length, picture, preview, url: `/files/${id}/${encodeURIComponent(name)}` }
}
