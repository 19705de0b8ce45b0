import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

import { openai } from '../../src/engines/openai.ts'
import { reply, replyJson } from '../adapters/http-server.ts'
import { askServer } from '../contract/engine-ask.ts'
import type { BadInput } from './row.ts'

type Row = BadInput & { readonly says: readonly string[] }

/** Bodies of whole answers that hold no chat completion. */
export const bodyRows: readonly Row[] = [
  row('empty', (response) => reply(response, 200, 'application/json', ''), [
    'HTTP 200',
    'empty body',
    'log of the server',
  ]),
  row('a page', (response) => reply(response, 200, 'text/html', '<html>Log in</html>'), [
    'no JSON',
    'Log in',
    'a proxy',
  ]),
  row('cut JSON', (response) => reply(response, 200, 'application/json', '{"choices":[{"mess'), [
    'no JSON',
    '{"choices',
  ]),
  row('another JSON', (response) => replyJson(response, { status: 'ok' }), ['no chat completion', 'status']),
  row('a JSON list', (response) => replyJson(response, [1, 2]), ['no chat completion']),
  row('JSON without bottom', (response) => reply(response, 200, 'application/json', '['.repeat(1e5)), ['64 levels']),
  row('values without number', (response) => reply(response, 200, 'application/json', `[${'{},'.repeat(1e6)}{}]`), [
    'more than 100000 values',
    'another program instead of the model server',
  ]),
  row('what a proxy wants', (response) => reply(response, 407, 'text/html', '<html>Log in</html>'), [
    'a proxy on the way asks for a user and password',
    'accept this machine by its address',
  ]),
  row('too long', (response) => reply(response, 200, 'application/json', `"${'x'.repeat(5e6)}"`), [
    'longer than 4 MiB',
  ]),
  row('compressed', compressed, ['content-encoding gzip', 'turn compression off']),
  row('shorter than announced', short, ['cut off', 'crash']),
  row('an error in a good answer', (response) => replyJson(response, { error: { message: 'CUDA error' } }), [
    'CUDA error',
  ]),
  row('a refusal', (response) => replyJson(response, { error: 'Unauthorized' }, 401), [
    'HTTP 401',
    'Unauthorized',
    'api_key_env: NAME at the target in pilotflame.yml',
    'with --url, put it into PILOTFLAME_API_KEY',
  ]),
  row('a refusal that names no key', (response) => reply(response, 403, 'text/plain', ''), [
    'HTTP 403 without a body',
    'a proxy or a rule of the server',
    'where it wants a key, write api_key_env: NAME',
  ]),
  row('plain HTTP where TLS is spoken', plainToTls, ['write https:// in the URL']),
  row('a refusal without words', (response) => reply(response, 503, 'text/plain', ''), [
    'HTTP 503 without a body',
    'loading',
  ]),
  row('a redirect', (response) => void response.writeHead(301, { location: 'https://x/' }).end(), [
    'HTTP 301',
    'https://x/',
    'not followed',
  ]),
]

function row(name: string, respond: (response: ServerResponse) => void, says: readonly string[]): Row {
  return {
    name,
    says,
    async run() {
      const { failure } = await askServer(openai, (_, response) => respond(response), { stream: false })
      return failure ?? { thing: '', observed: '', next: '' }
    },
  }
}

function plainToTls(response: ServerResponse): void {
  reply(response, 400, 'text/plain', 'Client sent an HTTP request to an HTTPS server.\n')
}

function compressed(response: ServerResponse): void {
  response.writeHead(200, { 'content-encoding': 'gzip' })
  response.end(gzipSync('{}'))
}

function short(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 100 })
  response.write('{', () => response.destroy())
}
