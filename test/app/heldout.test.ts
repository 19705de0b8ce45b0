import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readDocument } from '../../src/app/diagnose/document.ts'

/** Cases that were written by people who had not seen the rules: H of the kinds A, B and C; F and X of every kind. */
const FOLDER = join(import.meta.dirname, '../fixtures/heldout')

const Case = z.object({
  id: z.string(),
  kind: z.enum(['A', 'B', 'C', 'D', 'E']),
  input: z.record(z.string(), z.unknown()),
  truth: z.object({
    verdict: z.string(),
    code: z.string(),
    avoid: z.array(z.string()).default([]),
    expected: z.record(z.string(), z.unknown()).default({}),
  }),
})

const cases = readdirSync(FOLDER).map((file) => Case.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))))

const family = (code: string) => code.split('.')[0]
const plain = (text: string) => text.replace(/\s+/g, ' ').toLowerCase()

describe('the cases of another hand', () => {
  test('are all there', () => {
    expect(cases.length).toBe(254)
  })

  test.each(cases.map((one) => [one.id, one.truth.code, one] as const))('%s %s', (_, __, { kind, input, truth }) => {
    const read = readDocument(JSON.stringify({ kind, input }))
    if (!read.ok) return expect.unreachable(read.problem)
    const { finding, parsed } = read.document
    expect({ verdict: finding.verdict, family: family(finding.code) }).toEqual({
      verdict: truth.verdict,
      family: family(truth.code),
    })
    for (const wrong of truth.avoid) expect(plain(finding.cause)).not.toContain(plain(wrong))
    expect(parsed).toMatchObject(truth.expected)
  })
})
