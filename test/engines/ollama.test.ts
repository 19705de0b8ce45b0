import { expect, test } from 'vitest'

import { ollama } from '../../src/engines/ollama.ts'
import { bodyOf, replyJson, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'
import { engineContract } from '../contract/engine.ts'
import { askServer, stream } from '../contract/engine-ask.ts'
import { dialect } from './ollama-dialect.ts'

engineContract(dialect)

/** An Ollama with these models in memory. */
async function withModels(models: unknown) {
  const facts = { ...dialect.facts, '/api/ps': { models } }
  const server = await keep(
    serve(({ url = '' }, response) => replyJson(response, new Map(Object.entries(facts)).get(url) ?? {})),
  )
  return open(server.url)
}

const entry = (name: string, more: object = {}) => ({ name, size: 8, size_vram: 8, context_length: 4096, ...more })

test.for([
  ['none', [], { loaded: null, context: null }],
  ['null, as Go says none', null, { loaded: null, context: null }],
  ['one', [entry('a')], { loaded: 'a', context: 4096 }],
  [
    'one of a version that tells no context',
    [entry('a', { context_length: undefined })],
    { loaded: 'a', context: null },
  ],
  ['two, of which either may answer', [entry('a'), entry('b')], { loaded: null, context: null }],
] as const)('in memory: %s', async ([, models, value]) => {
  expect(await ollama.info(await withModels(models), never)).toMatchObject({ ok: true, value })
})

test('in memory none is a load that is told', async () => {
  expect(await ollama.load(await withModels(null), never)).toMatchObject({ value: { resident: [], asked: '/api/ps' } })
  expect(await ollama.load(await withModels([entry('a', { size_vram: -1 })]), never)).toMatchObject({
    value: { resident: [{ name: 'a', bytes: 8, gpuBytes: null }] },
  })
})

test('thinking is asked for by an effort', async () => {
  const bodies: unknown[] = []
  await askServer(
    ollama,
    (asked, response) =>
      void bodyOf(asked).then((body) => {
        bodies.push(JSON.parse(body))
        stream(response, dialect.answers.both.stream)
      }),
    { thinking: true },
  )
  expect(bodies).toEqual([expect.objectContaining({ reasoning_effort: 'medium' })])
})
