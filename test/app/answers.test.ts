import { describe, expect, it } from 'vitest'
import { readDocument } from '../../src/app/diagnose/document.ts'
import { isFault } from '../../src/domain/code.ts'
import { answers } from './labelled-answers.ts'

describe('the labelled answers', () => {
  it('are all there', () => {
    expect(answers.length).toBe(58)
  })

  it.each(answers.map((one) => [one.id, one.truth.code, one] as const))('%s %s', (_, __, { kind, input, truth }) => {
    const read = readDocument(JSON.stringify({ kind, input }))
    if (!read.ok) return expect.unreachable(read.problem)
    const { finding, parsed } = read.document
    expect({ verdict: finding.verdict, code: finding.code }).toEqual({ verdict: truth.verdict, code: truth.code })
    for (const wrong of truth.avoid) expect(finding.cause.toLowerCase()).not.toContain(wrong.toLowerCase())
    expect(parsed).toMatchObject(truth.expected)
    expect(finding.remedy.length > 0).toBe(isFault(truth.code))
  })
})
