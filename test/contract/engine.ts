import type { IncomingMessage, ServerResponse } from 'node:http'

import { describe, expect, test } from 'vitest'

import type { Answer, Engine } from '../../src/domain/engine.ts'
import { bodyOf, reply } from '../adapters/http-server.ts'
import { askServer, stream } from './engine-ask.ts'
import type { Dialect } from './engine-dialect.ts'
import { sse } from './engine-dialect.ts'
import { factsAreRead, loadIsTold, refusalsAreUnderstood } from './engine-facts.ts'
import { endingsAreTold, wiresAreRead } from './engine-stream.ts'

/** The one suite that every engine passes. */
export function engineContract(dialect: Dialect): void {
  describe(dialect.name, () => {
    answersAreRead(dialect)
    wiresAreRead(dialect)
    endingsAreTold(dialect)
    otherShapesAreRead(dialect)
    misfitsAreTold(dialect)
    factsAreRead(dialect)
    loadIsTold(dialect)
    refusalsAreUnderstood(dialect)
  })
}

function answersAreRead({ engine, answers, thinkingOff }: Dialect): void {
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
      expect.objectContaining({ temperature: 0, ...thinkingOff }),
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
