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
  '👩',
  '👍🏽',
  '\u{e0041}',
]

test('whatever comes: nothing acts, nothing throws, twice is once', () => {
  const acting =
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u
  for (let seed = 0; seed < 20_000; seed += 1) {
    const text = randomText(seed, PIECES, 30)
    const safe = sanitise(text)
    expect(safe.replace(/[\n\t]/g, ''), `seed ${seed}`).not.toMatch(acting)
    expect(sanitise(safe), `seed ${seed}`).toBe(safe)
    expect(stripVTControlCharacters(safe), `seed ${seed}`).toBe(safe)
  }
})

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
    const from = performance.now()
    sanitise(piece.repeat(100_000))
    expect(performance.now() - from).toBeLessThan(1000)
  },
)
