import { expect, test } from 'vitest'

import type { Answer } from '../../src/domain/engine.ts'
import { sglang } from '../../src/engines/sglang.ts'
import { request } from '../contract/engine-ask.ts'
import { dialect } from '../engines/sglang-dialect.ts'
import { reply, serve } from './http-server.ts'
import { keep, never, open } from './tidy.ts'

const { both } = dialect({ version: '0.5.13', after13: true, counts: true }).answers

/** Asks for beginnings of a body, the empty one first: ended as it should be, or with the connection torn. */
async function cutEvery(step: number, body: string, streamed: boolean, torn: boolean): Promise<readonly Answer[]> {
  const type = streamed ? 'text/event-stream' : 'application/json'
  const bytes = Buffer.from(body)
  let at = 0
  const server = await keep(
    serve((_, response) => {
      const begun = bytes.subarray(0, at)
      if (!torn) return reply(response, 200, type, begun)
      response.writeHead(200, { 'content-type': type, 'content-length': bytes.length })
      response.write(begun, () => response.destroy())
      return undefined
    }),
  )
  const api = open(server.url)
  const answers: Answer[] = []
  for (at = 0; at < bytes.length; at += step) {
    const watch = { patienceMs: 5_000, onPiece: () => undefined }
    answers.push(await sglang.complete(api, { ...request, stream: streamed }, watch, never))
  }
  return answers
}

const kindsOf = (answers: readonly Answer[]) => [
  ...new Set(answers.map(({ failure }) => failure?.kind ?? 'completion')),
]

test('a whole answer that ends at any place is never an answer', async () => {
  const answers = await cutEvery(1, both.whole, false, false)
  expect(kindsOf(answers)).toEqual(['empty-body', 'not-json'])
  expect(answers.every(({ completion }) => completion === null)).toBe(true)
})

test('a whole answer that is torn at any place is never an answer', async () => {
  const answers = await cutEvery(7, both.whole, false, true)
  expect(kindsOf(answers)).toEqual(['cut'])
  expect(answers.every(({ completion }) => completion === null)).toBe(true)
})

test('a stream that ends at any place keeps what came, and is whole only behind its finish', async () => {
  const answers = await cutEvery(3, both.stream, true, false)
  expect(kindsOf(answers).slice(0, 2)).toEqual(['empty-body', 'not-stream'])
  expect(kindsOf(answers)).toEqual(expect.arrayContaining(['ended-early', 'completion']))
  const { content, reasoning } = both.read
  for (const { completion, failure } of answers) {
    expect(String(content).startsWith(completion?.content ?? '')).toBe(true)
    expect(String(reasoning).startsWith(completion?.reasoning ?? '')).toBe(true)
    if (failure === null) expect(completion).toMatchObject({ content, reasoning, finish: 'stop' })
  }
})

test('a stream that is torn at any place is told as cut', async () => {
  const answers = await cutEvery(7, both.stream, true, true)
  expect(kindsOf(answers)).toEqual(['cut'])
})
