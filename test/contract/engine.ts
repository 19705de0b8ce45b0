import type { IncomingMessage, ServerResponse } from 'node:http'

import { describe, expect, test } from 'vitest'

import type { Completion, Piece } from '../../src/domain/completion.ts'
import type { Answer, Engine, EngineInfo } from '../../src/domain/engine.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import { detectEngine } from '../../src/engines/index.ts'
import { bodyOf, reply, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'

/** How one engine answers on the wire, in its own dialect: the fixtures of its tests. */
export interface Dialect {
  readonly engine: Engine
  /** `SGLang 0.5.9` */
  readonly name: string
  /** bodies by path; a path that is missing answers 404 */
  readonly facts: Readonly<Record<string, unknown>>
  readonly info: Partial<EngineInfo>
  /** body of a 404 for a route that it does not have */
  readonly noRoute: string
  readonly answers: Readonly<Record<Case, Recorded>>
  readonly refusals: readonly Refusal[]
}

/** What every engine must be able to say. */
export type Case = 'both' | 'nothing' | 'thinking-only' | 'content-only' | 'tool-call'

export interface Recorded {
  /** the whole JSON body */
  readonly whole: string
  /** the SSE text of the same answer */
  readonly stream: string
  /** what must be read from either */
  readonly read: Partial<Completion>
  /** where the two differ: what the stream says else */
  readonly readStream?: Partial<Completion>
}

export interface Refusal {
  readonly status: number
  readonly body: string
  readonly kind: string
  readonly says: string
}

export const request: SmokeRequest = {
  prompt: 'Say hello',
  budget: 200,
  temperature: null,
  thinking: null,
  stream: true,
  model: 'demo',
}

/** Talks to a server that answers like the dialect says, and gives the answer with its pieces. */
export async function askServer(
  engine: Engine,
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  asked: Partial<SmokeRequest> = {},
  patienceMs = 2_000,
): Promise<Answer & { pieces: Piece[] }> {
  const server = await keep(serve(respond))
  const pieces: Piece[] = []
  const watch = { patienceMs, onPiece: (piece: Piece) => void pieces.push(piece) }
  const answer = await engine.complete(open(server.url), { ...request, ...asked }, watch, never)
  return { ...answer, pieces }
}

export function stream(response: ServerResponse, text: string): void {
  reply(response, 200, 'text/event-stream', text)
}

/** The one suite that every engine passes. */
export function engineContract(dialect: Dialect): void {
  describe(dialect.name, () => {
    answersAreRead(dialect)
    otherShapesAreRead(dialect)
    misfitsAreTold(dialect)
    factsAreRead(dialect)
    refusalsAreUnderstood(dialect)
  })
}

function answersAreRead({ engine, answers }: Dialect): void {
  test.for(Object.entries(answers))('%s, whole', async ([, { whole, read }]) => {
    const answer = await askServer(engine, (_, response) => reply(response, 200, 'application/json', whole), {
      stream: false,
    })
    expect(answer.failure).toBeNull()
    expect(answer.completion).toMatchObject(read)
    expect(answer.exchange).toMatchObject({ status: 200, response: whole, end: 'eof' })
  })

  test.for(Object.entries(answers))('%s, streamed', async ([, recorded]) => {
    const answer = await askServer(engine, (_, response) => stream(response, recorded.stream))
    expect(answer.failure).toBeNull()
    expect(answer.completion).toMatchObject({ ...recorded.read, ...recorded.readStream })
    expect(answer.exchange).toMatchObject({ status: 200, response: recorded.stream, end: 'done' })
    const texts = { reasoning: '', content: '' }
    for (const piece of answer.pieces) texts[piece.channel] += piece.text
    expect(texts.reasoning).toBe(answer.completion?.reasoning ?? '')
    expect(texts.content).toBe(answer.completion?.content ?? '')
    expect(answer.pieces.every((piece) => piece.text !== '')).toBe(true)
    expect(answer.completion?.pieces).toBe(answer.pieces.length)
  })

  test('asks for what the smoke says, and leaves the rest to the model', async () => {
    const bodies: string[] = []
    const respond = (asked: IncomingMessage, response: ServerResponse) =>
      void bodyOf(asked).then((body) => {
        bodies.push(body)
        stream(response, answers.both.stream)
      })
    const plain = await askServer(engine, respond)
    await askServer(engine, respond, { temperature: 0, thinking: false, model: null })
    expect(bodies.map((body) => JSON.parse(body))).toEqual([
      {
        model: 'demo',
        messages: [{ role: 'user', content: 'Say hello' }],
        max_tokens: 200,
        stream: true,
        stream_options: { include_usage: true },
      },
      expect.objectContaining({ temperature: 0, chat_template_kwargs: { enable_thinking: false } }),
    ])
    expect(bodies[1]).not.toContain('"model"')
    expect(plain.exchange.request).toBe(bodies[0])
  })
}

const PARTS = [
  { type: 'thinking', thinking: [{ type: 'text', text: 'A ' }] },
  { type: 'reasoning', text: 'greeting.' },
  { type: 'text', text: 'Hel' },
  { type: 'output_text', text: 'lo' },
]
const SHAPES: readonly (readonly [string, object, string | null, string | null])[] = [
  ['content in parts', { content: PARTS }, 'A greeting.', 'Hello'],
  ['one part', { content: { type: 'text', text: 'Hello' } }, null, 'Hello'],
  ['bare texts beside a picture', { content: ['Hel', { type: 'image_url' }, 'lo'] }, null, 'Hello'],
  ['a part with an empty text', { content: [{ type: 'text', text: '' }] }, null, ''],
  ['reasoning in parts', { reasoning: [{ type: 'text', text: 'Hm.' }], content: 'Hello' }, 'Hm.', 'Hello'],
  ['a refusal', { content: null, refusal: 'I cannot.' }, null, 'I cannot.'],
  ['an empty name before a full one', { reasoning_content: '', reasoning: 'Hm.', content: 'x' }, 'Hm.', 'x'],
  ['a full name before another', { reasoning_content: 'Hm.', thinking: 'Ha.', content: 'x' }, 'Hm.', 'x'],
  ['null before an empty name', { reasoning_content: null, reasoning: '', content: 'x' }, '', 'x'],
  ['a strange text beside content', { refusal: false, reasoning: 7, content: 'x' }, null, 'x'],
]

const END = { finish_reason: 'stop' }

/** Asks for the same choice whole and streamed. */
async function bothWays(engine: Engine, body: object, delta: object): Promise<readonly Answer[]> {
  const whole = { choices: [{ index: 0, ...body, ...END }] }
  const chunks = [{ choices: [{ index: 0, ...delta }] }, { choices: [{ index: 0, ...END }] }]
  return [
    await askServer(engine, (_, response) => reply(response, 200, 'application/json', JSON.stringify(whole)), {
      stream: false,
    }),
    await askServer(engine, (_, response) => stream(response, sse(chunks))),
  ]
}

function otherShapesAreRead({ engine }: Dialect): void {
  test.for(SHAPES)('reads %s', async ([, said, reasoning, content]) => {
    for (const answer of await bothWays(engine, { message: said }, { delta: said }))
      expect(answer).toMatchObject({ failure: null, completion: { reasoning, content, finish: 'stop' } })
  })

  test('reads the text of a completion before chat', async () => {
    for (const answer of await bothWays(engine, { text: 'hello' }, { text: 'hello' }))
      expect(answer).toMatchObject({ failure: null, completion: { reasoning: null, content: 'hello' } })
  })
}

const MISFITS: readonly (readonly [string, object, string])[] = [
  ['a number', { content: 7 }, 'its content is a number'],
  ['an object', { content: { parts: [] } }, 'its content is an object'],
  ['a list of pictures', { content: [{ type: 'image_url' }] }, 'its content is a list without text'],
  ['reasoning that is none, alone', { reasoning: {}, content: null }, 'its reasoning is an object'],
]

function misfitsAreTold({ engine }: Dialect): void {
  test.for(MISFITS)('says what came in place of text: %s', async ([, said, words]) => {
    for (const answer of await bothWays(engine, { message: said }, { delta: said }))
      expect(answer).toMatchObject({
        completion: null,
        failure: { kind: 'shape', observed: expect.stringContaining(words) },
      })
  })

  test('a strange content keeps the reasoning that came before it', async () => {
    const said = { reasoning: 'Hm.', content: 7 }
    for (const answer of await bothWays(engine, { message: said }, { delta: said }))
      expect(answer).toMatchObject({ completion: { reasoning: 'Hm.' }, failure: { kind: 'shape' } })
  })

  test.for([{}, { message: 'hello' }, { text: null }])('a choice that is only %j is none', async (choice) => {
    for (const answer of await bothWays(engine, choice, choice))
      expect(answer).toMatchObject({ completion: null, failure: { kind: 'shape' } })
  })
}

function factsAreRead({ engine, facts, info, noRoute, name }: Dialect): void {
  const respond = (asked: IncomingMessage, response: ServerResponse) => {
    const fact = facts[asked.url ?? '']
    if (fact === undefined) return reply(response, 404, 'application/json', noRoute)
    return reply(response, 200, 'application/json', JSON.stringify(fact))
  }

  test('is detected, and tells what it is', async () => {
    const api = open((await keep(serve(respond))).url)
    const detected = await detectEngine(api, never)
    expect(detected).toMatchObject({ ok: true, value: { engine: { kind: engine.kind }, info: { kind: engine.kind } } })
    const told = await engine.info(api, never)
    expect(told).toMatchObject({ ok: true, value: info })
    expect(JSON.stringify(told), name).not.toContain('sk-planted')
  })

  test('without its own facts still tells the models', async () => {
    const models = { '/v1/models': facts['/v1/models'] }
    const server = await keep(
      serve((asked, response) => {
        const fact = asked.url === '/v1/models' ? models['/v1/models'] : undefined
        reply(response, fact === undefined ? 500 : 200, 'application/json', JSON.stringify(fact ?? { error: 'boom' }))
      }),
    )
    expect(await engine.info(open(server.url), never)).toMatchObject({ ok: true, value: { models: info.models } })
  })
}

function refusalsAreUnderstood({ engine, refusals, noRoute }: Dialect): void {
  const all = [...refusals, { status: 404, body: noRoute, kind: 'route', says: '' }, PROXY]
  test.for(all)('$status $kind', async ({ status, body, kind, says }) => {
    for (const streamed of [true, false]) {
      const answer = await askServer(engine, (_, response) => reply(response, status, 'application/json', body), {
        stream: streamed,
      })
      expect(answer.completion).toBeNull()
      expect(answer.failure).toMatchObject({ kind: 'http-status', http: { status, complaint: { kind } } })
      expect(answer.failure?.http?.complaint?.message).toContain(says)
      expect(answer.exchange).toMatchObject({ status, response: body, end: 'http-status' })
    }
  })
}

const PROXY: Refusal = {
  status: 502,
  body: '<html>\r\n<head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>',
  kind: 'proxy',
  says: '502 Bad Gateway',
}

/** SSE text of chunks, ended by [DONE]. */
export function sse(chunks: readonly unknown[]): string {
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
}
