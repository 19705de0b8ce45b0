import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { slackDocument } from '../../src/app/diagnose/slack-document.ts'
import { isFault } from '../../src/domain/code.ts'
import { SLACK_CODES } from '../../src/judge/slack.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/cases')
const Case = z.object({
  id: z.string(),
  input: z.unknown(),
  truth: z.object({
    verdict: z.string(),
    code: z.string(),
    avoid: z.array(z.string()).default([]),
    expected: z.record(z.string(), z.unknown()).default({}),
  }),
})

describe('the labelled texts', () => {
  const files = readdirSync(FOLDER).filter((file) => file.startsWith('E-'))
  const cases = files.map((file) => Case.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))))

  it('are all there', () => expect(cases.length).toBe(15))

  it.each(cases.map((one) => [one.id, one.truth.code, one] as const))('%s %s', (_, __, { input, truth }) => {
    const judged = slackDocument(input)
    if (!judged.ok) throw new Error(judged.problem)
    const { finding, parsed } = judged
    expect({ verdict: finding.verdict, code: finding.code }).toEqual({ verdict: truth.verdict, code: truth.code })
    for (const wrong of truth.avoid) expect(finding.cause.toLowerCase()).not.toContain(wrong.toLowerCase())
    expect(parsed).toMatchObject(truth.expected)
    expect(finding.cause).toMatch(/[^.]\.$/)
    expect(finding.because.length).toBeGreaterThan(0)
    expect(finding.remedy.length).toBeGreaterThan(0)
    expect(JSON.stringify(finding).length).toBeLessThan(1_500)
    expect(SLACK_CODES.filter(isFault)).toContain(truth.code)
  })
})
