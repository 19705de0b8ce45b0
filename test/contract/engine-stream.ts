import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import type { Completion } from '../../src/domain/completion.ts'
import { askServer, stream } from './engine-ask.ts'
import type { Dialect } from './engine-dialect.ts'
import { sse } from './engine-dialect.ts'

const AS_BYTES = (text: string) => [Buffer.from(text)]

/** The same stream as other servers, proxies and networks would carry it. */
const WIRES: readonly (readonly [string, (text: string) => readonly Buffer[]])[] = [
  ['all at once', AS_BYTES],
  ['three bytes at a time', (text) => cutUp(Buffer.from(text), 3)],
  ['with carriage returns', (text) => AS_BYTES(text.replaceAll('\n', '\r\n'))],
  ['with pings and without spaces', (text) => AS_BYTES(text.replaceAll('data: ', ': ping\n\ndata:'))],
  ['with named events', (text) => AS_BYTES(text.replaceAll('data: ', 'event: message\nid: 1\ndata: '))],
]

export function wiresAreRead({ engine, answers: { both } }: Dialect): void {
  test.for(WIRES)('a stream is read %s', async ([, chunksOf]) => {
    const answer = await askServer(engine, (_, response) => void drip(response, chunksOf(both.stream)))
    expect(answer).toMatchObject({ failure: null, completion: { ...both.read, ...both.readStream } })
    expect(answer.exchange.end).toBe('done')
  })
}

function cutUp(bytes: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

/** Each chunk leaves by itself. */
async function drip(response: ServerResponse, chunks: readonly Buffer[], end: () => unknown = () => response.end()) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks) {
    await new Promise<void>((resolve) => response.write(chunk, () => resolve()))
    await new Promise(setImmediate)
  }
  end()
}

/** The beginning of an answer, in the middle of its reasoning. */
const BEGUN: Partial<Completion> = { reasoning: expect.stringMatching(/^A gree/), content: null, finish: null }

export function endingsAreTold({ engine, answers: { both }, errorEvent }: Dialect): void {
  const events = both.stream.split('\n\n').slice(0, -1)
  const begun = `${events.slice(0, 3).join('\n\n')}\n\n`
  const readAll = { ...both.read, ...both.readStream }

  test('an end without [DONE] after the finish is whole', async () => {
    const text = both.stream.replace('data: [DONE]\n\n', '')
    const answer = await askServer(engine, (_, response) => stream(response, text))
    expect(answer).toMatchObject({ failure: null, completion: readAll, exchange: { end: 'eof' } })
  })

  test('an end in the middle is a server that died', async () => {
    const answer = await askServer(engine, (_, response) => stream(response, begun))
    expect(answer).toMatchObject({ failure: { kind: 'ended-early' }, completion: BEGUN })
  })

  test('so is a cut, which is told apart', async () => {
    const answer = await askServer(engine, (_, response) => {
      void drip(response, [Buffer.from(begun), Buffer.from('data: {"cho')], () => response.destroy())
    })
    expect(answer).toMatchObject({ failure: { kind: 'cut' }, completion: BEGUN })
  })

  test('an error in the middle keeps what had come, and is understood', async () => {
    const { data, kind, says } = errorEvent
    const answer = await askServer(engine, (_, response) => stream(response, begun + sse([data])))
    expect(answer).toMatchObject({
      completion: BEGUN,
      failure: { kind: 'stream-error', http: { status: 200, complaint: { kind } } },
      exchange: { end: 'stream-error' },
    })
    expect(answer.failure?.observed).toContain(says)
  })

  test('an abort that ends as a normal chunk is its finish', async () => {
    const abort = { choices: [{ index: 0, delta: {}, finish_reason: 'abort', matched_stop: null }] }
    const answer = await askServer(engine, (_, response) => stream(response, begun + sse([abort])))
    expect(answer).toMatchObject({ failure: null, completion: { ...BEGUN, finish: 'abort' } })
  })

  test('a stream of nothing but [DONE] is no answer', async () => {
    const answer = await askServer(engine, (_, response) => stream(response, sse([])))
    expect(answer).toMatchObject({ failure: { kind: 'shape' }, completion: null })
  })
}
