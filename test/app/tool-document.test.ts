import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { readDocument } from '../../src/app/diagnose/document.ts'
import { toolDocument } from '../../src/app/diagnose/tool-document.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/tools')
const FAULTS = join(import.meta.dirname, '../fixtures/faults')

const Labelled = z.object({
  id: z.string(),
  kind: z.literal('C'),
  input: z.record(z.string(), z.unknown()),
  truth: z.object({
    verdict: z.string(),
    code: z.string(),
    avoid: z.array(z.string()).default([]),
    expected: z.record(z.string(), z.unknown()).default({}),
  }),
})

const cases = readdirSync(FOLDER).map((file) => Labelled.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))))

function judged(input: unknown) {
  const read = toolDocument(input)
  if (!read.ok) throw new Error(read.problem)
  return read
}

/** One space for each run of them, as a quotation has it. */
const plain = (text: string) => text.replace(/\s+/g, ' ').toLowerCase()

/** All texts and figures of an input. */
function wordsIn(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value)
  return Object.values(value).map(wordsIn).join('\n')
}

describe('the labelled cases of kind C', () => {
  test.each(cases.map((one) => [one.id, one.truth.code, one] as const))('%s %s', (_, code, { input, truth }) => {
    const { finding, parsed } = judged(input)
    expect({ verdict: finding.verdict, code: finding.code }).toEqual({ verdict: truth.verdict, code })
    expect(parsed).toMatchObject(truth.expected)
    for (const wrong of truth.avoid) expect(plain(finding.cause)).not.toContain(plain(wrong))
  })
})

const Fixtures = z.object({ speaking: z.array(Document()), silent: z.array(Document()) })

function Document() {
  return z.object({ kind: z.string(), input: z.unknown() })
}

const own = readdirSync(FAULTS).flatMap((file) => {
  const { speaking, silent } = Fixtures.parse(JSON.parse(readFileSync(join(FAULTS, file), 'utf8')))
  return [...speaking, ...silent].filter(({ kind }) => kind === 'C').map(({ input }) => input)
})

describe('every finding', () => {
  const all = [...cases.map(({ input }) => input), ...own]

  it(`of ${all.length} inputs quotes what stands in them, and helps where something is wrong`, () => {
    for (const input of all) {
      const { finding } = judged(input)
      const text = plain(wordsIn(input))
      expect(finding.because.length).toBeGreaterThan(0)
      for (const [, quote = ''] of finding.because.join('\n').matchAll(/“([^”]*?)…?”/g))
        expect(text).toContain(plain(quote).trim())
      if (finding.verdict !== 'healthy')
        expect(finding.remedy.length + (finding.missing ?? []).length).toBeGreaterThan(0)
    }
  })
})

describe('what is no input', () => {
  test.each([
    [null, 'is no object'],
    [['nvidia-smi'], 'is no object'],
    [{ command: 7 }, '"input.command" is no text'],
    [{ command: 'nvidia-smi', stdout: [] }, '"input.stdout" is no text'],
  ])('%j is refused', (input, problem) => {
    expect(toolDocument(input)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) })
  })

  test('an empty one is judged, and names what is missing', () => {
    expect(judged({}).finding).toMatchObject({
      verdict: 'inconclusive',
      code: 'log.need-more',
      missing: [expect.any(String)],
    })
  })
})

describe('what is known besides', () => {
  const Q = 'nvidia-smi --query-gpu=index,memory.used --format=csv,noheader,nounits'

  test('an output without its command is read by its header', () => {
    const { parsed } = judged({ stdout: 'index, memory.used [MiB]\n0, 12 MiB\n1, 40 MiB\n' })
    expect(parsed).toMatchObject({ gpus: 2, memory_used: [12, 40] })
  })

  test('dmesg may be one text or a list of lines, also inside of context', () => {
    const lines = ['NVRM: loading', 'NVRM: Xid (PCI:0000:81:00): 79, GPU has fallen off the bus.']
    for (const input of [{ dmesg: lines }, { dmesg: lines.join('\n') }, { context: { dmesg: lines } }])
      expect(judged({ command: Q, stdout: '0, 12\n', exit_code: 0, ...input }).finding.code).toBe('gpu.off-bus')
  })

  test('a status of 124 is the end of its time', () => {
    expect(judged({ command: 'timeout 5 nvidia-smi', stdout: '', exit_code: 124 }).finding.code).toBe(
      'telemetry.timeout',
    )
  })

  test('a card that nobody listed is none, and one that the tool denies is 0', () => {
    expect(judged({ command: Q, stdout: '', exit_code: 1 }).parsed).toMatchObject({ gpus: null, memory_used: null })
    expect(judged({ command: Q, stdout: 'No devices were found\n', exit_code: 6 }).parsed).toMatchObject({ gpus: 0 })
  })

  test.each(['docker exec -it llm', 'docker compose exec llm', 'pct exec 129 --', 'kubectl exec -n ai pod/llm --'])(
    '%s is a container',
    (prefix) => {
      const input = { command: `${prefix} nvidia-smi`, stdout: 'No devices were found\n', exit_code: 6 }
      expect(judged(input).finding.code).toBe('driver.not-in-container')
    },
  )
})

test('the command reads kind C', () => {
  const read = readDocument(JSON.stringify({ id: 'x', kind: 'C', input: { command: 'nvidia-smi', exit_code: 9 } }))
  expect(read).toMatchObject({ ok: true, document: { kind: 'C', finding: { code: 'driver.not-loaded' } } })
})
