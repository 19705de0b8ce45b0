import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { sanitise, sanitiseJson } from '../../src/domain/sanitise.ts'
import { randomText } from '../random.ts'

test.each([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['cursor and erase', 'a\u001b[2K\u001b[1Gb', 'ab'],
  ['8-bit CSI', '\u009b31mred', 'red'],
  ['a window title (OSC, BEL)', '\u001b]0;owned\u0007x', 'x'],
  ['a hyperlink (OSC, ST)', '\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\', 'click'],
  ['8-bit OSC', '\u009d0;owned\u009cx', 'x'],
  ['DCS', '\u001bPq#0\u001b\\x', 'x'],
  ['APC, PM, SOS', '\u001b_a\u001b\\\u001b^b\u001b\\\u001bXc\u001b\\x', 'x'],
  ['character set and reset', '\u001b(B\u001bcx', 'x'],
  ['a string without end hides nothing', '\u001b]0;title and the rest', '\\u{1b}]0;title and the rest'],
  ['a lone escape', 'a\u001b', 'a\\u{1b}'],
  ['pieces that would join', '\u001b\u001b[0m[31m', '\\u{1b}[31m'],
  ['surrogates that would join', '\ud83d\u001b[0m\ude00', '\\u{d83d}\\u{de00}'],
  ['backspace', 'ab\bc', 'ab\\u{8}c'],
  ['overwriting', 'good\rbad', 'good\\u{d}bad'],
  ['CR LF', 'one\r\ntwo', 'one\ntwo'],
  ['NUL and DEL', '\u0000\u007f', '\\u{0}\\u{7f}'],
  ['bidi override and isolate', '\u202egnp.exe\u2066', '\\u{202e}gnp.exe\\u{2066}'],
  ['zero-width', 'a\u200bb\u2060c\ufeff', 'a\\u{200b}b\\u{2060}c\\u{feff}'],
  ['line and paragraph separator', '\u2028\u2029', '\\u{2028}\\u{2029}'],
  ['tag characters', 'x\u{e0041}', 'x\\u{e0041}'],
  ['other invisible letters', '\u00ad\u3164\u{e0100}', '\\u{ad}\\u{3164}\\u{e0100}'],
  ['a lone surrogate', '\ud800x', '\\u{d800}x'],
  ['a joiner outside an emoji', '1\u200d2', '1\\u{200d}2'],
])('what acts goes or is shown: %s', (_name, text, safe) => {
  expect(sanitise(text)).toBe(safe)
})

test.each([
  'plain',
  'two\nlines\tand tab',
  'ünïcödé 中文 العربية हिन्दी',
  '👩‍💻 ❤️‍🔥 👍🏽 1️⃣',
  '\\u{1b}',
  '<!channel> <@U1> `x` &amp;',
])('what is seen stays: %s', (text) => {
  expect(sanitise(text)).toBe(text)
})

const PIECES = [
  ...'\u001b\u009b\u009d\u0090\u009c\u0007\b\r\n\t\u0000\u200d\u202e\u2028\ud83d\ude00\ufe0f[]P^_X\\0;m?K(abc',
  ...'\u0085\u00ad\u061c\u180e\u200b\u200e\u2066\u2069\u206a\ufeff\ufff9\u3164\u{e0001}\u{e0100}',
  '👩',
  '👍🏽',
  '\u{e0041}',
  '\u001b[31m',
  '\u001b]8;;http://evil.example\u0007',
  '\u001bP1$r\u001b\\',
  '\\u{1b}',
  '<!channel>',
]

/** The code points that no text for people may hold, named by themselves and not by Unicode's property that sanitise uses. */
const DISALLOWED = new RegExp(
  [
    String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f]`,
    String.raw`[\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\u{e0000}-\u{e0fff}]`,
  ].join('|'),
  'u',
)

test('100,000 texts: no disallowed code point stays, nothing throws, twice is once', () => {
  for (let seed = 0; seed < 100_000; seed += 1) {
    const safe = sanitise(randomText(seed, PIECES, 30))
    const wrong = [DISALLOWED.test(safe), sanitise(safe) !== safe, stripVTControlCharacters(safe) !== safe]
    if (wrong.includes(true)) throw new Error(`seed ${seed}: ${wrong.join()} ${JSON.stringify(safe)}`)
  }
  console.log('texts sanitised: 100,000; with a disallowed code point, changed by a second pass, or by Node’s own: 0')
})

test('what Node’s own function leaves of nineteen dangerous sequences, and what ours leaves', () => {
  const left = (clean: (text: string) => string) => NINETEEN.filter((text) => DISALLOWED.test(clean(text))).length
  console.log(
    `dangerous sequences left: Node ${left(stripVTControlCharacters)} of ${NINETEEN.length}, ours ${left(sanitise)}`,
  )
  expect(left(sanitise)).toBe(0)
  expect(left(stripVTControlCharacters)).toBeGreaterThan(8)
})

/** trust.md T23. */
const NINETEEN = [
  ...[
    '\u001b[31mx',
    '\u001b]0;t\u0007',
    '\u001bPq\u001b\\',
    '\u001b_a\u001b\\',
    '\u001b^b\u001b\\',
    '\u001bXc\u001b\\',
  ],
  ...[
    '\u009b31mx',
    '\u009d0;t\u009c',
    '\u0090q\u009c',
    'a\bb',
    'good\rbad',
    '\u0000',
    '\u202ex',
    '\u2066x',
    'a\u200bb',
  ],
  ...['\u{e0041}', '\u2028', '\u2029', 'x\u001b'],
]

test('JSON stays the same value', () => {
  for (let seed = 0; seed < 2000; seed += 1) {
    const value = { text: randomText(seed, PIECES, 30) }
    const line = sanitiseJson(JSON.stringify(value))
    expect(JSON.parse(line)).toEqual(value)
    expect(line).not.toMatch(/\p{Cc}|[\u202e\u2028]/u)
  }
})

test.each(['\u001b]', '\u009d', '\u001b[', '\u001b[0;', '\u009b0', '\u001bP', '\u001b(', '\u200d👩', 'a'])(
  'reads 100,000 times %o in linear time',
  (piece) => {
    const text = piece.repeat(100_000)
    const from = process.threadCpuUsage()
    sanitise(text)
    expect(process.threadCpuUsage(from).user / 1000).toBeLessThan(1000)
  },
)
