import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventOf } from '../../src/app/diagnose/remote-document.ts'
import type { Code } from '../../src/domain/code.ts'
import { CODES, isFault } from '../../src/domain/code.ts'
import type { RemoteRun } from '../../src/domain/remote.ts'
import { MEANING } from '../../src/judge/meaning.ts'
import { parsedOf } from '../../src/judge/remote/output.ts'
import { REMOTE_CODES, readRemote } from '../../src/judge/remote.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const textOf = (path: string) => readFileSync(join(FIXTURES, path), 'utf8')

const code = z.custom<Code>((text) => typeof text === 'string' && text in CODES)
const Case = z.object({
  id: z.string(),
  input: z.unknown(),
  truth: z.object({
    verdict: z.string(),
    code,
    avoid: z.array(z.string()).default([]),
    expected: z.record(z.string(), z.unknown()).default({}),
  }),
})
type Case = z.infer<typeof Case>

function runOf(input: unknown): RemoteRun {
  const read = eventOf(input)
  if (!read.ok) throw new Error(read.problem)
  return read.run
}

function isRight({ input, truth }: Case): void {
  const run = runOf(input)
  const finding = readRemote(run)
  expect({ verdict: finding.verdict, code: finding.code }).toEqual({ verdict: truth.verdict, code: truth.code })
  for (const wrong of truth.avoid) expect(finding.cause.toLowerCase()).not.toContain(wrong.toLowerCase())
  expect(parsedOf(run)).toMatchObject(truth.expected)
  expect(finding.cause).toMatch(/[^.]\.$/)
  expect(finding.because.length).toBeGreaterThan(0)
  expect(finding.remedy.length > 0).toBe(isFault(truth.code))
}

describe('the labelled runs', () => {
  const files = readdirSync(join(FIXTURES, 'cases')).filter((file) => file.startsWith('D-'))
  const cases = files.map((file) => Case.parse(JSON.parse(textOf(`cases/${file}`))))

  it('are all there', () => expect(cases.length).toBe(21))
  it.each(cases.map((one) => [one.id, one.truth.code, one] as const))('%s %s', (_, __, one) => isRight(one))
})

/** One document a line, as `pilotflame diagnose` takes them. */
const files = readdirSync(join(FIXTURES, 'runs'))

describe.each(files)('runs of our own: %s', (file) => {
  const cases = textOf(`runs/${file}`)
    .trimEnd()
    .split('\n')
    .map((line) => Case.parse(JSON.parse(line)))

  it('are several, and none twice', () => {
    expect(cases.length).toBeGreaterThanOrEqual(5)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  })
  it.each(cases.map((one) => [one.id, one.truth.code, one] as const))('%s: %s', (_, __, one) => isRight(one))
})

it('every code that a run can have is listed', () => {
  const meant = Object.values(MEANING).flatMap((meaning) => meaning?.code ?? [])
  const given = files.flatMap((file) =>
    textOf(`runs/${file}`)
      .trimEnd()
      .split('\n')
      .map((line) => Case.parse(JSON.parse(line)).truth.code),
  )
  expect(given.filter((one) => !meant.includes(one) && !REMOTE_CODES.includes(one))).toEqual([])
  expect(REMOTE_CODES.filter((one) => !isFault(one) && !given.includes(one))).toEqual([])
})
