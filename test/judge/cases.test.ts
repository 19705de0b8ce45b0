import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/judge/diagnose.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { Case, evidenceOf } from './smoke-of-case.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/answers')
const cases = readdirSync(FOLDER).map((file) => Case.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))))

/** Not decided by an answer alone yet, with the reason. */
const BEYOND: Readonly<Record<string, string>> = {
  'A-08': 'forty tokens of nonsense in one script: needs a repeated prompt with another KV cache',
  'A-39': 'needs the number of prompt tokens that were sent',
}

const familyOf = (code: string) => code.split('.')[0]

describe('the labelled answers', () => {
  it.each(cases.filter(({ id }) => !(id in BEYOND)).map((one) => [one.id, one.truth.code, one] as const))(
    '%s %s',
    (_, __, labelled) => {
      const { verdict, code, findings } = diagnose(evidenceOf(labelled), rules)
      expect({ verdict, family: familyOf(code) }).toEqual({
        verdict: labelled.truth.verdict,
        family: familyOf(labelled.truth.code),
      })
      for (const wrong of labelled.truth.avoid)
        expect(findings[0].cause.toLowerCase()).not.toContain(wrong.toLowerCase())
    },
  )

  it.each(cases.filter(({ id }) => id in BEYOND).map((one) => [one.id, one] as const))(
    '%s is not right yet, and no false alarm',
    (_, labelled) => {
      const { verdict } = diagnose(evidenceOf(labelled), rules)
      expect(labelled.truth.verdict).not.toBe('healthy')
      expect(verdict).not.toBe(labelled.truth.verdict)
    },
  )
})
