import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Console } from './console.ts'
import { isForUs, isFromUs, readArguments, readBody } from './http.ts'
import type { Outage } from './outage.ts'
import type { Responses } from './responses.ts'
import type { WebApiNeeds } from './web-api.ts'
import { answerApi, answerCall } from './web-api.ts'
import type { World } from './world.ts'

export interface RouteNeeds {
  readonly port: number
  readonly api: WebApiNeeds
  readonly world: World
  readonly responses: Responses
  readonly page: Console
  readonly outage: Outage
}

const UPLOAD_BYTES = 16 * 1024 * 1024

/** Sends a request where it belongs: the Web API, an upload, a response_url or the console. */
export async function route(request: IncomingMessage, response: ServerResponse, needs: RouteNeeds): Promise<void> {
  if (!isForUs(request, needs.port)) {
    response.writeHead(421, { 'content-type': 'text/plain' }).end('This server answers to 127.0.0.1 only.\n')
    return
  }
  const [, place = '', id = ''] = new URL(request.url ?? '/', 'http://stand-in').pathname.split('/')
  const machines = { api, upload, private: download, respond }
  const machine = Object.entries(machines).find(([name]) => name === place)?.[1]
  if (machine !== undefined && isFromUs(request)) {
    if (!needs.outage.passes(request)) return unheard(place, id, needs)
    await machine(id, request, response, needs)
    return
  }
  if (machine === undefined && (await needs.page.answer(request, response))) return
  response.writeHead(machine === undefined ? 404 : 403, { 'content-type': 'text/plain' }).end('Nothing here.\n')
}

/** Even what met an outage is told to tests. */
function unheard(place: string, id: string, { api, world }: RouteNeeds): void {
  const method = place === 'api' ? id : `/${place}`
  api.record({ method, args: {}, at: world.now(), reply: null, fault: 'outage' })
}

async function api(name: string, request: IncomingMessage, response: ServerResponse, needs: RouteNeeds) {
  await answerApi(name, request, response, needs.api)
}

async function upload(id: string, request: IncomingMessage, response: ServerResponse, { world }: RouteNeeds) {
  const file = world.files.get(id)
  const body = await readBody(request, UPLOAD_BYTES)
  const bytes = body === null ? null : await fileIn(body, request.headers['content-type'] ?? '')
  if (file === undefined || bytes === null) {
    response.writeHead(file === undefined ? 404 : 413).end()
    return
  }
  world.files.set(id, { ...file, bytes })
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`OK - ${bytes.length}`)
}

/** The bytes of a file for whoever may read files; everybody else gets Slack's login page, with status 200. */
async function download(
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
  { world, api: { botToken, scopes } }: RouteNeeds,
) {
  const file = world.files.get(id)
  const may = request.headers.authorization === `Bearer ${botToken}` && scopes.includes('files:read')
  if (file === undefined || !may) {
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': 'text/html' }).end('<h1>Sign in to Slack</h1>')
    return
  }
  response.writeHead(200, { 'content-type': file.type ?? 'text/plain' }).end(file.bytes)
}

/** Slack takes the bytes as they are and as the one part of a form. */
async function fileIn(body: Buffer, type: string): Promise<Buffer | null> {
  if (!type.startsWith('multipart/form-data')) return body
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const part = form.values().next().value
  return part instanceof Blob ? Buffer.from(await part.arrayBuffer()) : null
}

async function respond(id: string, request: IncomingMessage, response: ServerResponse, needs: RouteNeeds) {
  const body = await readBody(request, UPLOAD_BYTES)
  const said = body === null ? {} : readArguments(request, body)
  const args = { ...said, ...needs.responses.placeOf(id) }
  await answerCall({ method: '/respond', args }, response, needs.api, () => {
    const { status, answer } = needs.responses.use(id, said)
    return { status, reply: answer, headers: {} }
  })
}
