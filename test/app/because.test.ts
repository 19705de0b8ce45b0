import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readDocument } from '../../src/app/diagnose/document.ts'

const ROOT = join(import.meta.dirname, '../fixtures')

const Document = z.object({ kind: z.string(), input: z.unknown() })
const Fixture = z.union([
  Document.transform((one) => [one]),
  z
    .object({ speaking: z.array(Document), silent: z.array(Document) })
    .transform(({ speaking, silent }) => [...speaking, ...silent]),
])

const documents = globSync('{faults,answers,logs,tools,cases,heldout}/*.json', { cwd: ROOT })
  .toSorted()
  .flatMap((file) => {
    const read = Fixture.safeParse(JSON.parse(readFileSync(join(ROOT, file), 'utf8')))
    return read.success ? read.data.map((document) => ({ file, ...document })) : []
  })

const findings = documents.flatMap(({ file, kind, input }) => {
  const read = readDocument(JSON.stringify({ id: file, kind, input }))
  return read.ok ? [{ file, input, finding: read.document.finding }] : []
})

/** All texts and names in it, also those of JSON in a text or behind `data: `; without tags, in one case, with one blank for many. */
function wordsOf(input: unknown): string {
  const plain = textsOf(input)
  const inside = plain.flatMap((text) => [text, ...text.split('\n')].flatMap((part) => textsOf(jsonOf(part))))
  return flat([...plain, ...inside].join(' ') + inside.join(''))
}

function textsOf(value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [String(value)]
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)])
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^data: /, ''))
  } catch {
    return null
  }
}

const flat = (text: string): string =>
  text
    .replace(/<\/?(?:html|head|title|body|center|h1|hr|p)>|\|/g, ' ')
    // shown so, since redaction would take what follows for the key itself
    .replace(/\bprivateKey: /g, 'private key ')
    .replace(/["“”,]/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase()

/** What the line says to have seen: its quotations, a cut one in its pieces, and of `name: value` the value. */
function quotesIn(line: string): string[] {
  // what we answered ourselves is no evidence from outside
  if (line.startsWith('answered: ')) return []
  return [...line.matchAll(/“([^”]+)”/g)].flatMap(([, quote = '']) =>
    flat(quote.replace(/^[\w.]+: /, ''))
      .split('…')
      .map((piece) => piece.trim())
      .filter((piece) => piece !== ''),
  )
}

test('there is enough to look at', () => {
  expect(findings.length).toBeGreaterThan(1000)
  expect(findings.flatMap(({ finding }) => finding.because.flatMap(quotesIn)).length).toBeGreaterThan(900)
})

test('every finding says what it saw', () => {
  expect(findings.filter(({ finding }) => finding.because.length === 0).map(({ file }) => file)).toEqual([])
})

test('every quotation stands in the input', () => {
  const foreign = findings.flatMap(({ file, input, finding }) => {
    const words = wordsOf(input)
    const strange = finding.because.flatMap(quotesIn).filter((quote) => !words.includes(quote))
    return strange.map((quote) => `${file} ${finding.code}: ${quote}`)
  })
  expect(foreign).toEqual([])
})

test('whatever is not fine has a remedy, or names what is missing', () => {
  const helpless = findings.filter(
    ({ finding: { verdict, remedy, missing = [] } }) =>
      verdict !== 'healthy' && verdict !== 'ok-normalized' && remedy.length === 0 && missing.length === 0,
  )
  expect(helpless.map(({ file }) => file)).toEqual([])
})
