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

interface Seen {
  readonly words: string
  /** with the numbers as they are, without what parts their thousands */
  readonly figures: string
  /** how many characters, lines and words its texts have, and its bytes in KiB, MiB and GiB */
  readonly derived: ReadonlySet<number>
}

function seenIn(input: unknown): Seen {
  const [words, texts] = [wordsOf(input), textsOf(input)]
  const counts = texts.flatMap((text) => [text.length, text.split('\n').length, text.split(/\s+/).length])
  const bytes = numbersIn(words).filter((number) => number.length > 3)
  const units = bytes.flatMap((number) => [1, 2, 3].map((power) => Math.round(Number(number) / 1024 ** power)))
  return { words, figures: whole(words), derived: new Set([...counts, ...units]) }
}

/** A line stands on what was shown where it quotes it, or where all its figures stand there, or where it has none a name of it. */
function standsOn(line: string, { words, figures, derived }: Seen): boolean {
  const quotes = quotesIn(line)
  if (quotes.length > 0) return quotes.every((quote) => words.includes(quote))
  // a single digit stands anywhere
  const numbers = numbersIn(line).filter((number) => number.length > 1)
  if (numbers.length > 0) return numbers.every((number) => figures.includes(number) || derived.has(Number(number)))
  return (line.toLowerCase().match(/[\w.-]{4,}/g) ?? []).some((name) => words.includes(name))
}

function numbersIn(text: string): string[] {
  return whole(text).match(/\d+(?:\.\d+)?/g) ?? []
}

/** `12,000` and `12 000` as `12000` */
const whole = (text: string): string => text.replace(/(?<=\d)[, ](?=\d{3}(?!\d))/g, '')

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

test('every finding stands on a line of what it was shown', () => {
  const baseless = findings.filter(({ input, finding }) => {
    const seen = seenIn(input)
    return !finding.because.some((line) => standsOn(line, seen))
  })
  expect(baseless.map(({ file, finding }) => `${file} ${finding.code}: ${finding.because.join(' · ')}`)).toEqual([])
})

test.each([
  ['words that nobody said', 'log line 1: “it broke”', 'the server is up'],
  ['a figure that nobody told', '12 of 24 GB', 'of 24 GB'],
  ['no word or figure of it', 'no line of use', 'fine'],
])('a line stands on nothing: %s', (_, line, input) => {
  expect(standsOn(line, seenIn({ input }))).toBe(false)
})

test.each([
  ['its words', 'log line 1: “it broke”', 'then it broke'],
  ['its figures', '12,000 of 24,576 tokens', 'of 24576: 12000'],
  ['a reading in another unit', 'GPU 0: 286 of 16368 MiB', 'Total: 17163091968, Used: 299892736'],
  ['the count of its lines', '12 lines', 'one\n'.repeat(11)],
  ['a name', 'answer: not_in_channel', 'not_in_channel'],
])('a line stands on %s', (_, line, input) => {
  expect(standsOn(line, seenIn({ input }))).toBe(true)
})

test('whatever is not fine has a remedy, or names what is missing', () => {
  const helpless = findings.filter(
    ({ finding: { verdict, remedy, missing = [] } }) =>
      verdict !== 'healthy' && verdict !== 'ok-normalized' && remedy.length === 0 && missing.length === 0,
  )
  expect(helpless.map(({ file }) => file)).toEqual([])
})
