import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readDocument } from '../../src/app/diagnose/document.ts'
import { CODES } from '../../src/domain/code.ts'
import { random } from '../random.ts'
import { mutate } from './mutate.ts'

const SEED = Number(process.env['SEED'] ?? 20_261_205)
const MUTATIONS = 20_000
/** A document that takes longer hangs; the slowest one takes some 100 ms. Of the processor: the machine may have other work. */
const HANG_MS = 1_000
const LONGEST_MS = 20_000

const FIXTURES = join(import.meta.dirname, '../fixtures')
const Case = z.object({ kind: z.string(), input: z.unknown() })
const Fault = z.object({ speaking: z.array(Case), silent: z.array(Case) })
const Either = z.union([
  Fault.transform(({ speaking, silent }) => [...speaking, ...silent]),
  Case.transform((one) => [one]),
])

/** Every document of the wire format that lies in the fixtures, as text. */
const documents = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .toSorted()
  .flatMap((file) => {
    const read = Either.safeParse(JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')))
    return read.success ? read.data.map(({ kind, input }) => JSON.stringify({ id: file, kind, input })) : []
  })

test(`${MUTATIONS} mutated documents crash and hang nothing (SEED=${SEED})`, { timeout: 6 * LONGEST_MS }, () => {
  expect(documents.length).toBeGreaterThan(300)
  const draw = random(SEED)
  const came = { findings: 0, problems: 0 }
  let slowest = { ms: 0, text: '' }
  const began = process.cpuUsage()
  for (let round = 0; round < MUTATIONS; round += 1) {
    const text = mutate(documents[round % documents.length] ?? '', draw)
    const since = process.threadCpuUsage()
    const read = readDocument(text)
    const spent = process.threadCpuUsage(since)
    const ms = (spent.user + spent.system) / 1000
    if (ms > slowest.ms) slowest = { ms, text }
    if (read.ok) came.findings += 1
    else came.problems += 1
    if (!isSound(read)) expect.unreachable(`SEED=${SEED} ${JSON.stringify(read)} of ${text}`)
  }
  const { user, system } = process.cpuUsage(began)
  const total = (user + system) / 1000
  console.log(
    `${documents.length} documents, ${JSON.stringify(came)}, slowest ${slowest.ms.toFixed(0)} ms, ${total.toFixed(0)} ms of the processor in all`,
  )
  expect(slowest.ms, slowest.text.slice(0, 2000)).toBeLessThan(HANG_MS)
  expect(total).toBeLessThan(LONGEST_MS)
  // the mutations reach behind the reading, and many are refused by it
  expect(came.findings).toBeGreaterThan(MUTATIONS / 4)
  expect(came.problems).toBeGreaterThan(MUTATIONS / 20)
})

/** A finding of a known code with words, or a problem with words. */
function isSound(read: ReturnType<typeof readDocument>): boolean {
  if (!read.ok) return read.problem.trim() !== ''
  const { code, cause, because, remedy } = read.document.finding
  return code in CODES && cause.trim() !== '' && [...because, ...remedy].every((words) => words.trim() !== '')
}
