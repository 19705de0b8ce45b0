import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readDocument } from '../../../src/app/diagnose/document.ts'

const FOLDER = join(import.meta.dirname, '../../fixtures/logs')
const Case = z.object({
  id: z.string(),
  kind: z.literal('B'),
  input: z.object({ log: z.string() }),
  truth: z.object({ verdict: z.string(), code: z.string(), avoid: z.array(z.string()).default([]) }),
})
/** Of memory, settings, ports and contexts. */
const IDS = ['01', '03', '05', '08', '12', '13', '28', '29', '38', '46', '48', '49', '52', '59', '63', '64']
const texts = IDS.map((id) => readFileSync(join(FOLDER, `B-${id}.json`), 'utf8'))
const cases = texts.map((text) => ({ text, labelled: Case.parse(JSON.parse(text)) }))

describe('labelled logs', () => {
  it.each(cases.map(({ text, labelled }) => [labelled.id, labelled.truth.code, text, labelled] as const))(
    '%s %s',
    (_, __, text, { truth, input }) => {
      const read = readDocument(text)
      if (!read.ok) throw new Error(read.problem)
      const { finding } = read.document
      expect({ verdict: finding.verdict, code: finding.code }).toEqual({ verdict: truth.verdict, code: truth.code })
      for (const wrong of truth.avoid) expect(finding.cause.toLowerCase()).not.toContain(wrong.toLowerCase())
      expect(finding.remedy.length).toBeGreaterThan(0)
      const shown = finding.because.flatMap((line) => /^log line \d+: “(.*?)…?”$/.exec(line)?.[1] ?? [])
      expect(shown.length).toBeGreaterThan(0)
      for (const quote of shown) expect(input.log.replace(/\s+/g, ' ')).toContain(quote)
    },
  )
})
