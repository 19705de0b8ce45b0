import type { ServerResponse } from 'node:http'

import { openai } from '../../src/engines/openai.ts'
import { reply, replyJson } from '../adapters/http-server.ts'
import { askServer, stream } from '../contract/engine-ask.ts'
import { sse } from '../contract/engine-dialect.ts'
import type { BadInput } from './row.ts'

type Row = BadInput & { readonly says: readonly string[] }

const WORD = `data: ${JSON.stringify({ choices: [{ delta: { content: 'so f' } }] })}\n\n`

/** Streams that do not bring a whole answer. */
export const streamRows: readonly Row[] = [
  row('empty', (response) => stream(response, ''), ['empty body']),
  row('empty JSON', (response) => reply(response, 200, 'application/json', ''), [
    'HTTP 200 with an empty body',
    'a proxy between',
  ]),
  row('a page', (response) => reply(response, 200, 'text/html', '<html>Log in</html>'), [
    'text/html',
    'Log in',
    '--no-stream',
  ]),
  row('other JSON', (response) => replyJson(response, { status: 'ok' }), ['application/json', '--no-stream']),
  row('an error in its place', (response) => replyJson(response, { error: { message: 'CUDA error' } }), ['CUDA error']),
  row('a page that says it is a stream', (response) => stream(response, '<html>Log in</html>'), [
    'no events',
    'Log in',
  ]),
  row('no finish and no [DONE]', (response) => stream(response, WORD), ['after 1 event with', 'neither', 'crash']),
  row('cut in an event', cut, ['cut off', 'crash']),
  row('silence in the middle', (response) => begin(response, WORD), ['no byte for 2 s', 'GPUs']),
  row('nothing but pings', (response) => begin(response, ': ping\n\n'), ['nothing but pings', 'for 2 s', 'GPUs']),
  row('silence from the start', () => {}, ['no answer within 2 s', 'hangs']),
  row('an error in the middle', (response) => stream(response, WORD + sse([{ error: { message: 'OOM' } }])), [
    'OOM',
    'log',
  ]),
  row('a broken event', (response) => stream(response, `${WORD}data: {oops\n\ndata: [DONE]\n\n`), [
    '1 of 3 events',
    '{oops',
  ]),
  row('events of something else', (response) => stream(response, sse([{ tick: 1 }])), ['no chat completion', 'tick']),
  row('an event without end', (response) => stream(response, `data: ${'x'.repeat(2e6)}`), [
    'one event is longer than 1 MiB',
  ]),
  row('many times more than was asked for', (response) => stream(response, WORD.repeat(10_000)), [
    'more than 2600 events',
    'max_tokens',
  ]),
  row('compressed', (response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('x'), [
    'content-encoding br',
    'turn compression off',
  ]),
  row('a refusal', (response) => replyJson(response, { detail: 'Not Found' }, 404), [
    'HTTP 404',
    'Not Found',
    'without a path',
  ]),
]

function row(name: string, respond: (response: ServerResponse) => void, says: readonly string[]): Row {
  return {
    name,
    says,
    async run() {
      const { failure } = await askServer(openai, (_, response) => respond(response))
      return failure ?? { thing: '', observed: '', next: '' }
    },
  }
}

function begin(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(text)
}

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`${WORD}data: {"cho`, () => response.destroy())
}
