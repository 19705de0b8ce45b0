import { expect, test } from 'vitest'
import { transcript } from '../../src/adapters/transcript.ts'
import { beforeCut, bothEnds, EITHER_END, endsOf, excerpt, excerptOfEnd } from '../../src/domain/excerpt.ts'
import { redactEnds } from '../../src/domain/redact/ends.ts'
import { redactor } from '../../src/domain/redact.ts'
import { random, seedOf } from '../random.ts'
import type { Planted } from './planted.ts'
import { chunks, leaksIn, planted, secrets, toldOf } from './planted.ts'

const seed = seedOf('SEED', 4)
const all = secrets(400)
const placed = planted(all)
const redact = redactor(toldOf(all))

/** Both borders of what is kept lie between two of these. */
const PIECE = EITHER_END / 8
const LENGTH = 19 * PIECE

/** Two texts, each at a random place across one of the two borders of what is kept. */
function across([first, second]: readonly [string, string], seed: number): string {
  const { below } = random(seed)
  const begin = EITHER_END - below(Buffer.byteLength(first) + 1)
  const end = LENGTH - EITHER_END - below(Buffer.byteLength(second) + 1)
  const head = `${' '.repeat(begin - 1)}\n${first}\n`
  const both = `${head}${' '.repeat(end - Buffer.byteLength(head) - 1)}\n${second}\n`
  return both + ' '.repeat(LENGTH - Buffer.byteLength(both))
}

/** What is held of a text that comes in pieces. */
function held(text: string): string {
  const [bytes, decoder, heard] = [Buffer.from(text), new TextDecoder(), transcript()]
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE)
    heard.add(decoder.decode(piece, { stream: true }), piece.length)
  }
  return bothEnds(heard.text())
}

/** A text as a model's server streams it: a few letters an event. */
function streamed(text: string, seed: number): string {
  const chunk = (content: string) => ({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })
  return chunks(text, seed, 8)
    .map((letters) => `data: ${JSON.stringify(chunk(letters))}\n\n`)
    .join('')
}

/** The blanks around a text hide nothing, and would take nearly all the time. */
function within(text: string): string {
  const [from, to] = [text.length - text.trimStart().length, text.trimEnd().length]
  return from >= to ? text : text.slice(0, from) + redact(text.slice(from, to)) + text.slice(to)
}

test.each([
  ['as they are', 1_300, (text: string) => text],
  ['streamed', 700, streamed],
] as const)(
  '%s: of secrets across the borders of what is kept nothing is shown (%i)',
  (how, count, form) => {
    const { below } = random(seed)
    const [none] = placed
    const one = (): Planted => placed[below(placed.length)] ?? none ?? { carrier: '', text: '', hidden: [] }
    const [shown, before]: [string[], string[]] = [[], []]
    for (let pair = 0; pair < count / 2; pair += 1) {
      const [first, second] = [one(), one()]
      const kept = held(across([form(first.text, seed + pair), form(second.text, seed + pair)], seed + pair))
      expect(endsOf(kept)).not.toBeNull()
      shown.push(...leaksIn(redactEnds(kept, pair % 100 === 0 ? redact : within).trim(), [first, second]))
      before.push(...leaksIn(within(kept).replace(/ {99,}/g, ' '), [first, second]))
    }
    console.log(
      `seed ${seed}: ${count} secrets ${how}, ${shown.length} seen in part; ${before.length} where a cut text is only redacted`,
    )
    expect(shown).toEqual([])
    expect(before.length).toBeGreaterThan(0)
  },
  60_000,
)

test.each([
  ['an excerpt', (text: string, at: number) => excerpt(text, at)],
  ['what was cut while it came', (text: string, at: number) => beforeCut(text.slice(0, at))],
])('%s: of 2,000 secrets cut anywhere nothing is shown', (_, cut) => {
  const { below } = random(seed)
  const shown: string[] = []
  for (let count = 0; count < 2_000; count += 1) {
    const one = placed[below(placed.length)]
    if (one === undefined) continue
    const at = BEFORE.length + below(one.text.length + 1)
    shown.push(...leaksIn(redact(cut(`${BEFORE}${one.text}\nand one more line`, at)), [one]))
  }
  console.log(`seed ${seed}: 2,000 secrets, ${shown.length} seen in part`)
  expect(shown).toEqual([])
})

const BEFORE = 'a line before\n'

/** What a redactor is told has any characters, also such as end a word; nothing beside it says what it is. */
const TOLD = toldOf(secrets(3_800))

test.each([
  ['an excerpt', (text: string, at: number) => `it said: “${excerpt(text, at)}”`],
  ['an excerpt of the end', (text: string, at: number) => `it said: “${excerptOfEnd(text, text.length - at)}”`],
  ['what was cut while it came', (text: string, at: number) => beforeCut(text.slice(0, at))],
])('%s: of 200 secrets that were told nothing is shown, wherever they are cut', (_, cut) => {
  const clean = redactor(TOLD)
  const shown: string[] = []
  let [cuts, parts] = [0, 0]
  for (const form of TOLD.flatMap((one) => [one, JSON.stringify(one).slice(1, -1)])) {
    const text = `said ${form} and more`
    const placed = { carrier: 'none', text, hidden: [form] }
    for (let at = 'said '.length; at <= 'said '.length + form.length; at += 1) {
      const left = cut(text, at)
      cuts += 1
      parts += leaksIn(left, [placed]).length
      shown.push(...leaksIn(clean(left), [placed]))
    }
  }
  console.log(
    `${TOLD.length} secrets in ${cuts} places: ${parts} cuts leave a part, ${shown.length} seen once redacted`,
  )
  expect(shown).toEqual([])
  expect(TOLD).toHaveLength(200)
  expect(parts).toBeGreaterThan(cuts / 4)
})

test('of a text with such a line of its own nothing is left out where it is short, or stands near an end', () => {
  const line = '\n… 5 bytes left out …\n'
  const long = 'word '.repeat(45 * 1024)
  for (const text of [`one${line}two`, line + long, long + line]) expect(redactEnds(text, String)).toBe(text)
})

test('what is missing is counted anew, whatever lines of that kind a text has', () => {
  const line = '\n… 999 bytes left out …\n'
  const text = 'word '.repeat(20_000) + line + 'word '.repeat(40_000) + line + 'word '.repeat(20_000)
  const [, head = '', missing = '', tail = ''] =
    /^(.*)\n… (\d+) bytes left out …\n(.*)$/s.exec(redactEnds(bothEnds(text), String)) ?? []
  expect(text.startsWith(head)).toBe(true)
  expect(text.endsWith(tail)).toBe(true)
  expect(Number(missing)).toBeGreaterThan(0)
})

test.each([
  ['one\ntwo\nthr', 'one\ntwo\n'],
  ['one word of a lin', 'one word of a '],
  [`one\n${'word '.repeat(2_000)}wor`, `one\n${'word '.repeat(2_000)}`],
  ['one\n', 'one\n'],
  ['', ''],
])('beforeCut(%j) has no half of a line or word', (text, whole) => {
  expect(beforeCut(text)).toBe(whole)
})
