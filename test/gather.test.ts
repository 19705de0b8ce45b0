import { expect, test } from 'vitest'
import type { Failure } from '../src/domain/failure.ts'
import { failed, ok } from '../src/domain/outcome.ts'
import { gatherSmoke } from '../src/gather.ts'
import type { Script } from './commands/house.ts'
import { answersWell, healthy, INFO, scripted, target } from './commands/house.ts'

const request = { prompt: 'What is 2+2?', budget: 4096, temperature: null, thinking: null, stream: true, model: null }
const stopped: Failure = { kind: 'stopped', thing: 'stream', observed: 'ended by us', next: 'nothing' }
const down: Failure = { kind: 'refused', thing: 'target qwen', observed: 'connection refused', next: 'start it' }
const fail = async () => failed<never>(down)
const api = { url: 'http://x', json: fail, text: fail, events: fail }

function gather(script: Script, over: Partial<ReturnType<typeof scripted>> = {}, seen = {}) {
  const engine = { ...scripted(script), ...over }
  const signal = new AbortController().signal
  const reach = async () => ok({ engine, api, info: seen })
  return gatherSmoke({ target: target('qwen'), request, signal, reach, onPiece() {} })
}

/** Repeats one unit until somebody aborts, at most 2,000 pieces. */
const loops: Script = async (_request, watch, signal) => {
  let pieces = 0
  for (; pieces < 2000 && !signal.aborted; pieces += 1) {
    watch.onPiece({ channel: 'content', text: ['2 + 2', ' = ', '2', '.'][pieces % 4] ?? '' })
  }
  return { completion: { ...healthy, pieces }, failure: signal.aborted ? stopped : null }
}

test('a certain loop ends the stream, and that is no failure', async () => {
  const { smoke } = await gather(loops)
  expect(smoke?.cut).toMatchObject({ channel: 'content', certain: true, period: 10 })
  expect(smoke?.failure).toBeNull()
  expect(smoke?.completion?.pieces).toBeLessThan(200)
})

test('an answer without a loop is left alone', async () => {
  const { smoke, engine } = await gather(answersWell)
  expect(smoke).toMatchObject({ cut: null, failure: null, completion: { content: 'Hello there!' } })
  expect(engine).toEqual(INFO)
})

test('a stop by a person stays a stop', async () => {
  const { smoke } = await gather(async () => ({ completion: healthy, failure: stopped }))
  expect(smoke).toMatchObject({ cut: null, failure: { kind: 'stopped' } })
})

test('what the engine does not tell is missing, not guessed', async () => {
  const silent = { info: async () => failed<never>(down) }
  expect((await gather(answersWell, silent)).engine).toBeUndefined()
  const seen = await gather(answersWell, silent, { kind: 'sglang', models: ['qwen'] })
  expect(seen.engine).toMatchObject({ kind: 'sglang', models: ['qwen'], version: null })
})

test('the model that is asked for is the named one, else the first that the server lists', async () => {
  const listed = await gather(answersWell, {}, { kind: 'sglang', models: ['first', 'second'] })
  expect(listed.smoke?.request.model).toBe('first')
})

test('a target out of reach leaves a smoke with its failure', async () => {
  const signal = new AbortController().signal
  const reach = async () => failed<never>(down)
  const evidence = await gatherSmoke({ target: target('qwen'), request, signal, reach, onPiece() {} })
  expect(evidence.smoke).toMatchObject({ completion: null, failure: down, exchange: null })
})

test('where nobody knows a name, the list of the server gives it before the smoke', async () => {
  const { smoke } = await gather(answersWell)
  expect(smoke?.request.model).toBe(INFO.models[0])
})
