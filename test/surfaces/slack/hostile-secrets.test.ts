import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { smokeReport } from '../../../src/commands/smoke/report.ts'
import type { Evidence } from '../../../src/domain/finding.ts'
import { ok } from '../../../src/domain/outcome.ts'
import { redactSmoke } from '../../../src/domain/redact/smoke.ts'
import { redactor } from '../../../src/domain/redact.ts'
import { sanitise } from '../../../src/domain/sanitise.ts'
import type { Smoke } from '../../../src/domain/smoke.ts'
import { openai } from '../../../src/engines/openai.ts'
import { gatherSmoke } from '../../../src/gather.ts'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { cleaned } from '../../../src/surfaces/slack/clean.ts'
import { replyJson, serve } from '../../adapters/http-server.ts'
import { keep, never, open } from '../../adapters/tidy.ts'
import { target } from '../../commands/house.ts'
import { request } from '../../contract/engine-ask.ts'
import { sse } from '../../contract/engine-dialect.ts'
import type { Planted } from '../../domain/planted.ts'
import { chunks, leaksIn, planted, secrets, toldOf } from '../../domain/planted.ts'
import { ask } from '../../parse/house.ts'
import { random } from '../../random.ts'

const ALL = secrets(1_007)
const PLANTED = planted(ALL)
const redact = redactor(toldOf(ALL))

/** So many placements come in one answer. */
const TOGETHER = 100

test('12,084 secrets streamed by a model in pieces of any size: none in the answer, the diagnosis, the raw exchange, the record', async () => {
  let sent = 0
  const shown: string[] = []
  for (let at = 0; at < PLANTED.length; at += TOGETHER) {
    const batch = PLANTED.slice(at, at + TOGETHER)
    const evidence = await streamed(batch, at)
    sent += batch.length
    shown.push(...leaksIn(seen(evidence), batch))
  }
  console.log(`secrets streamed in pieces of 1 to 64 characters: ${shown.length} of ${sent} leaked`)
  expect(shown.slice(0, 5)).toEqual([])
}, 60_000)

test('the scan sees what is shown: unredacted, the answer leaks and so do the pieces of its raw exchange', async () => {
  const batch = PLANTED.slice(0, TOGETHER)
  const { smoke } = await streamed(batch, TOGETHER)
  for (const text of [smoke?.completion?.content ?? '', together(smoke?.exchange?.response ?? '')]) {
    expect(batch.filter((one) => leaksIn(text, [one]).length > 0)).toHaveLength(TOGETHER)
  }
})

/** Each answer says its text in one of these ways: thought, said, given to a tool. */
const WAYS = [
  (piece: string): object => ({ reasoning_content: piece }),
  (piece: string): object => ({ content: piece }),
  (piece: string): object => ({ tool_calls: [{ index: 0, function: { name: 'go', arguments: piece } }] }),
] as const

/** What the product makes of an answer in which the secrets stand. */
async function streamed(batch: readonly Planted[], seed: number): Promise<Evidence> {
  const text = told(batch, seed)
  const server = await keep(serve((asked, response) => answer(asked.url ?? '', response, text, seed)))
  const evidence = await gatherSmoke({
    target: target('qwen'),
    request,
    signal: never,
    reach: async () => ok({ engine: openai, api: open(server.url), info: {} }),
    onPiece: () => {},
  })
  await server.close()
  const { smoke } = evidence
  const { reasoning, content, toolCalls } = smoke?.completion ?? { toolCalls: [] }
  if ([reasoning, content, toolCalls[0]?.arguments].every((said) => said !== text) || smoke?.cut !== null) {
    throw new Error(`seed ${seed}: the answer did not arrive whole: ${JSON.stringify(smoke?.failure)}`)
  }
  return evidence
}

/** The placements among lines of a log, so that nothing repeats itself. */
function told(batch: readonly Planted[], seed: number): string {
  const { below } = random(seed)
  return batch
    .map(({ text }) => `[2026-11-30 12:00:${below(60)}] step ${below(1e6)} of ${below(1e6)}\n${text}\n`)
    .join('')
}

function answer(url: string, response: ServerResponse, text: string, seed: number): void {
  if (!url.endsWith('/chat/completions')) return void replyJson(response, { data: [{ id: 'demo' }] })
  const say = WAYS[((seed / TOGETHER) % WAYS.length) | 0] ?? WAYS[0]
  const deltas = chunks(text, seed, 64).map(say)
  const events = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of chunks(sse(events), seed + 3, 4_000)) response.write(piece)
  response.end()
}

/** All that is kept, judged and shown of it. */
function seen(evidence: Evidence): string {
  const clean = (text: string) => redact(sanitise(text))
  const smoke: Smoke | undefined = evidence.smoke && redactSmoke(evidence.smoke, redact)
  if (smoke === undefined) throw new Error('nothing was asked')
  const judged = { ...evidence, smoke }
  const diagnosis = diagnose(judged, rules)
  const said = { ask: ask('slash', { form: 'plain', word: 'smoke', text: '' }), evidence: judged, diagnosis }
  // a file as a command may bring it: as it came
  const { reasoning = '', content = '', toolCalls = [] } = evidence.smoke?.completion ?? {}
  const files = [
    { name: 'answer.txt', text: [reasoning, content, ...toolCalls.map((one) => one.arguments)].join('\n') },
  ]
  const report = cleaned({ ...smokeReport({ ...said, attempt: null, notKept: null }), files }, clean)
  const raw = clean(smoke.exchange?.response ?? '')
  return [JSON.stringify(smoke), ...strings(report), raw, together(raw)].join('\n')
}

/** Every text in a value, as it is shown. */
function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

/** What somebody reads who puts the pieces of a raw exchange together again. */
function together(response: string): string {
  const said = response.matchAll(/"(?:content|reasoning_content|arguments)":"((?:[^"\\\n]|\\.)*)"/g)
  const escapes = /\\(?:u([0-9a-f]{4})|(.))/g
  const whole = Array.from(said, ([, text]) => text ?? '').join('')
  return whole.replace(escapes, (_, hex: string | undefined, one: string | undefined) =>
    hex === undefined ? (CONTROLS.get(one ?? '') ?? one ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])
