/**
 * A process of its own that asks servers, and tells how far its memory grew: see http-child.ts. First it asks the good one
 * of its argument, then it reads lines `WAY URL` and answers each with a line of JSON.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openApi } from '../../src/adapters/http.ts'
import type { Failure } from '../../src/domain/failure.ts'
import { sentence } from '../../src/domain/failure.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { DEFAULT_BUDGET } from '../../src/domain/smoke.ts'
import { openai } from '../../src/engines/openai.ts'
import { silent } from './http-server.ts'

const MB = 1024 * 1024
const ROUNDS = 16
const never = new AbortController().signal
const call = { method: 'POST', path: '/x', body: {}, patienceMs: 2_000, deadlineMs: 3_000 } as const
const prompt = { prompt: 'Say hello', budget: DEFAULT_BUDGET, temperature: null, thinking: null, model: 'demo' }

const [, , good = ''] = process.argv
for (let round = 0; round < ROUNDS; round += 1) await ask(round % 4 === 0 ? 'whole' : 'streamed', good)
globalThis.gc?.()
const atWork = process.memoryUsage().rss
console.log('ready')

for await (const line of createInterface({ input: process.stdin })) {
  const [way = '', url = ''] = line.split(' ')
  globalThis.gc?.()
  // the high-water mark begins anew
  writeFileSync('/proc/self/clear_refs', '5')
  const began = performance.now()
  const failure = await ask(way, url)
  const ms = Math.round(performance.now() - began)
  const grownMb = Math.round((highWater() - atWork) / MB)
  console.log(
    JSON.stringify({ kind: failure?.kind ?? 'ok', said: failure === null ? '' : sentence(failure), ms, grownMb }),
  )
}

async function ask(way: string, url: string): Promise<Failure | null> {
  const opened = openApi({ name: 'target qwen', url, apiKey: null, dial: null, log: silent })
  if (!opened.ok) throw new Error(opened.failure.observed)
  const api = opened.value
  const watch = { patienceMs: 5_000, onPiece: () => undefined }
  try {
    if (way === 'fetch') return await fetchText(url)
    if (way === 'json') return whyNot(await api.json(call, never))
    if (way === 'events') return whyNot(await api.events(call, () => true, never))
    return (await openai.complete(api, { ...prompt, stream: way === 'streamed' }, watch, never)).failure
  } finally {
    await api.close()
  }
}

function whyNot(outcome: Outcome<unknown>): Failure | null {
  return outcome.ok ? null : outcome.failure
}

async function fetchText(url: string): Promise<null> {
  const response = await fetch(url)
  await response.text()
  return null
}

function highWater(): number {
  const [, kib = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kib) * 1024
}
