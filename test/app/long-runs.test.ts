import { expect, test } from 'vitest'
import { explainText } from '../../src/app/explain.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { partsOf } from '../../src/judge/parts.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { evidenceOf } from '../judge/samples.ts'

const MIB = 2 ** 20
/** ms of this thread's CPU for one diagnosis, whatever a model or a person sends */
const MOST_MS = 1000

const RUNS = ['\n', ' ', ' \n'].flatMap((unit) => {
  const run = unit.repeat(MIB / unit.length)
  return [`${run}x`, `x${run}x`].map((text) => [JSON.stringify(text.slice(0, 4)), text] as const)
})

async function cpuOf(work: () => unknown): Promise<number> {
  const from = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(from)
  return (user + system) / 1000
}

test.each(RUNS)('a run of white space of 1 MiB in an answer costs less than a second: %s', async (_, text) => {
  for (const completion of [{ content: text }, { content: 'x', reasoning: text }]) {
    for (const finish of ['stop', 'length'])
      expect(await cpuOf(() => diagnose(evidenceOf({ ...completion, finish }), rules))).toBeLessThan(MOST_MS)
  }
  expect(await cpuOf(() => partsOf({ reasoning: null, content: text }))).toBeLessThan(MOST_MS)
})

test.each(RUNS)('and so it does in a text that is shown: %s', async (_, text) => {
  const answer = JSON.stringify({ choices: [{ message: { role: 'assistant', content: text }, finish_reason: 'stop' }] })
  const log = `[2026-05-01 10:00:01 TP0] Load weight begin.${text}\nRuntimeError: CUDA out of memory`
  const said = `data: {"choices":[{"delta":{"content":"x"}}]}\n${text}\n`
  for (const shown of [text, answer, log, said, `HTTP/1.1 200 OK${text}`])
    expect(await cpuOf(() => explainText(shown))).toBeLessThan(MOST_MS)
})

test.each([
  ['names of channels', `<|channel|>${'a'.repeat(MIB)}`],
  ['openings of channels', '<|channel|>a'.repeat(MIB / 12)],
  ['openings of thinking', '<think>'.repeat(MIB / 7)],
])('1 MiB of %s is taken apart in less than a second', async (_, content) => {
  expect(await cpuOf(() => partsOf({ reasoning: null, content }))).toBeLessThan(MOST_MS)
})

test.each([
  ['many short lines', `HTTP/1.1 200 OK\n${'a\n'.repeat(MIB)}`],
  ['many heads of status 100', 'HTTP/1.1 100 C\n\n'.repeat(MIB / 16)],
  ['many heads of status 100 with a line each', 'HTTP/1.1 100 C\na\n'.repeat(MIB / 16)],
])('an answer whose head is %s is judged, in less than a second', async (_, text) => {
  expect(await cpuOf(async () => expect(await explainText(text)).toMatchObject({ ok: true }))).toBeLessThan(MOST_MS)
})

test('a head of 8 MiB of short lines is judged', async () => {
  expect(await explainText(`HTTP/1.1 200 OK\n${'a\n'.repeat(4 * MIB)}`)).toMatchObject({ ok: true })
})

test.each(['\n', '\r\n'])('a head ends at its first empty line: %j', async (end) => {
  const head = ['HTTP/1.1 100 Continue', '', 'HTTP/1.1 502 Bad Gateway', 'server: nginx', '', ''].join(end)
  const read = await explainText(`${head}<html><title>502 Bad Gateway</title></html>${end}${end}x`)
  expect(read).toMatchObject({ value: [{ finding: { code: 'proxy.backend-down' } }] })
})
