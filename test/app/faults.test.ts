import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readDocument } from '../../src/app/diagnose/document.ts'
import type { Code } from '../../src/domain/code.ts'
import { CODES, isFault } from '../../src/domain/code.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/faults')

const Document = z.strictObject({ kind: z.string(), input: z.unknown() })
/** Documents of the wire format: those that must come out with the code, and those that must not. */
const Fixtures = z.strictObject({ speaking: z.array(Document), silent: z.array(Document) })

const isCode = (text: string): text is Code => text in CODES
const faults = Object.keys(CODES).filter(isCode).filter(isFault)
const files = readdirSync(FOLDER).toSorted()

function codeOf(document: unknown): string {
  const read = readDocument(JSON.stringify(document))
  return read.ok ? read.document.finding.code : `not read: ${read.problem}`
}

test('every fault has its documents', () => {
  expect(faults.filter((code) => !files.includes(`${code}.json`))).toEqual([])
})

describe.each(files)('%s', (file) => {
  const code = file.replace(/\.json$/, '')
  const { speaking, silent } = Fixtures.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')))

  test('is of a fault, and has enough on both sides', () => {
    expect(faults).toContain(code)
    expect(speaking.length).toBeGreaterThanOrEqual(1)
    expect(silent.length).toBeGreaterThanOrEqual(2)
  })

  test.each(speaking.entries().toArray())('speaks of %i', (_, document) => {
    expect(codeOf(document)).toBe(code)
  })

  test.each(silent.entries().toArray())('is silent on %i', (_, document) => {
    expect(codeOf(document)).not.toBe(code)
    expect(codeOf(document)).not.toMatch(/^not read/)
  })
})
