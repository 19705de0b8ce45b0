import { expect, test } from 'vitest'

import type { Answer } from '../../src/domain/engine.ts'
import { engines } from '../../src/engines/index.ts'
import { reply, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'
import { request } from '../contract/engine-ask.ts'
import { random } from '../random.ts'
import { dialect as llamaCpp } from './llama-cpp-dialect.ts'
import { dialect as ollama } from './ollama-dialect.ts'
import { dialect as openai } from './openai-dialect.ts'
import { dialect as sglang } from './sglang-dialect.ts'
import { VLLM_010, VLLM_011, VLLM_NOW, dialect as vllm } from './vllm-dialect.ts'

const SEED = Number(process.env['SEED'] ?? 20_261_130)
const BODIES = 10_000
const LANES = 8

type Random = ReturnType<typeof random>

interface Mutant {
  readonly stream: boolean
  readonly body: Buffer
  readonly status: number
  /** whether the connection breaks before the announced end */
  readonly cut: boolean
}

test(`${BODIES} mutated bodies crash nothing (SEED=${SEED})`, { timeout: 60_000 }, async () => {
  const draw = random(SEED)
  const current = new Map<string, Mutant>()
  const server = await keep(
    serve((asked, response) => {
      const mutant = current.get(asked.url?.split('/')[1] ?? '')
      if (mutant === undefined) return reply(response, 404, 'text/plain', 'no such lane')
      const type = mutant.stream ? 'text/event-stream' : 'application/json'
      if (!mutant.cut) return reply(response, mutant.status, type, mutant.body)
      response.writeHead(mutant.status, { 'content-length': mutant.body.length + 1, 'content-type': type })
      response.write(mutant.body, () => response.destroy())
      return undefined
    }),
  )
  const kinds = new Map<string, number>()

  async function lane(name: string): Promise<void> {
    const api = open(`${server.url}/${name}`)
    for (let round = 0; round < BODIES / LANES; round += 1) {
      const mutant = mutantOf(draw)
      current.set(name, mutant)
      const engine = engines[round % engines.length] ?? engines[0]
      const watch = { patienceMs: 5_000, onPiece() {} }
      const answer = await engine.complete(api, { ...request, stream: mutant.stream }, watch, never)
      const kind = answer.failure?.kind ?? 'completion'
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      if (!isSound(answer)) expect.unreachable(`SEED=${SEED} ${JSON.stringify(answer)} from ${mutant.body}`)
    }
  }

  await Promise.all(Array.from({ length: LANES }, (_, index) => lane(`lane${index}`)))
  expect([...kinds.values()].reduce((sum, many) => sum + many, 0)).toBe(BODIES)
  // the mutations reach all the ways in which an answer can be wrong, and many leave it readable
  expect([...kinds.keys()]).toEqual(
    expect.arrayContaining(['completion', 'http-status', 'cut', 'not-json', 'shape', 'stream-error', 'ended-early']),
  )
  expect(kinds.get('completion')).toBeGreaterThan(BODIES / 5)
})

/** A completion, or a failure that says what, what was seen and what to do; and texts that are texts. */
function isSound({ completion, failure, exchange }: Answer): boolean {
  if (completion === null && failure === null) return false
  const said = failure === null || [failure.thing, failure.observed, failure.next].every((words) => words.trim() !== '')
  const texts = [completion?.reasoning ?? null, completion?.content ?? null]
  const counts = Object.values(completion?.tokens ?? {})
  return (
    said &&
    exchange.end !== '' &&
    texts.every((text) => text === null || typeof text === 'string') &&
    counts.every((count) => count === null || Number.isSafeInteger(count))
  )
}

const RECORDED = [
  sglang({ version: '0.5.9', after13: false, counts: false }),
  sglang({ version: '0.5.13', after13: true, counts: true }),
  ...[VLLM_010, VLLM_011, VLLM_NOW].map(vllm),
  llamaCpp,
  ollama,
  openai,
].flatMap(({ answers }) => Object.values(answers))

function mutantOf(draw: Random): Mutant {
  const stream = draw.below(2) === 0
  const recorded = draw.pick(RECORDED)
  const text = (stream ? recorded?.stream : recorded?.whole) ?? ''
  const mutated =
    draw.below(2) === 0 ? mutateBytes(Buffer.from(text), draw) : Buffer.from(mutateJson(text, stream, draw))
  return { stream, body: mutated, status: draw.below(12) === 0 ? 500 : 200, cut: draw.below(20) === 0 }
}

function mutateBytes(bytes: Buffer, draw: Random): Buffer {
  switch (draw.below(4)) {
    case 0:
      return bytes.subarray(0, draw.below(bytes.length))
    case 1:
      return Buffer.concat([bytes, bytes.subarray(draw.below(bytes.length))])
    case 2:
      return Buffer.concat([bytes.subarray(0, draw.below(bytes.length)), Buffer.of(0, 255, 10, 13), bytes])
    default: {
      const flipped = Buffer.from(bytes)
      for (let left = 1 + draw.below(4); left > 0; left -= 1) {
        const at = draw.below(flipped.length)
        flipped[at] = (flipped[at] ?? 0) ^ (1 << draw.below(8))
      }
      return flipped
    }
  }
}

/** Puts a strange value somewhere into the body, or into one of its events. */
function mutateJson(text: string, stream: boolean, draw: Random): string {
  if (!stream) return swap(text, draw)
  const events = text.split('\n\n')
  const at = draw.below(events.length - 2)
  events[at] = `data: ${swap((events[at] ?? '').replace(/^data: /, ''), draw)}`
  return events.join('\n\n')
}

const STRANGE = [
  'null',
  'true',
  '-1',
  '1e999',
  '123456789012345678901234567890',
  '0.1',
  '""',
  '"x"',
  '[]',
  '{}',
  '[null]',
  '[[{}]]',
  '{"__proto__":{"polluted":1}}',
  '{"error":"x"}',
  '{"message":null}',
  '"\\ud800"',
  '['.repeat(200) + ']'.repeat(200),
  'NaN',
]

/** Replaces the value of a random key, or says that there was an error. */
function swap(json: string, draw: Random): string {
  if (draw.below(20) === 0) return json.replace('{', '{"error":{"message":"boom"},')
  const values = [...json.matchAll(/"(\w+)":(null|-?\d+|"[^"]*"|[[{])/g)]
  const match = draw.pick(values)
  if (match === undefined) return draw.pick(STRANGE) ?? 'null'
  const start = match.index + (match[0].length - (match[2]?.length ?? 0))
  const end = endOfValue(json, start)
  return json.slice(0, start) + (draw.pick(STRANGE) ?? 'null') + json.slice(end)
}

function endOfValue(json: string, start: number): number {
  if (!'[{'.includes(json[start] ?? ''))
    return start + (/^(?:null|-?\d+|"[^"]*")/.exec(json.slice(start))?.[0].length ?? 0)
  let depth = 0
  for (let at = start; at < json.length; at += 1) {
    if ('[{'.includes(json[at] ?? '')) depth += 1
    if (']}'.includes(json[at] ?? '')) depth -= 1
    if (depth === 0) return at + 1
  }
  return json.length
}
