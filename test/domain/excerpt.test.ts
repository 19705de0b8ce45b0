import { expect, test } from 'vitest'
import { bothEnds, excerpt, excerptOfEnd } from '../../src/domain/excerpt.ts'
import { redactor } from '../../src/domain/redact.ts'

test.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['one two three', 8, 'one two …'],
  ['one two three', 7, 'one two…'],
  ['onetwothree', 5, '…'],
  ['héllo 😀😀😀', 7, 'héllo 😀…'],
  ['你好世界你好世界', 4, '你好世界…'],
])('excerpt(%j, %i)', (text, most, expected) => {
  expect(excerpt(text, most)).toBe(expected)
})

test.each([
  ['short', 10, 'short'],
  ['one two three', 9, '…two three'],
  ['one two three', 8, '… three'],
  ['one two three', 11, '… two three'],
  ['onetwothree', 5, '…'],
  ['😀😀😀 ende', 6, '…😀 ende'],
  ['你好世界你好世界', 4, '…你好世界'],
])('excerptOfEnd(%j, %i)', (text, most, expected) => {
  expect(excerptOfEnd(text, most)).toBe(expected)
})

test('a secret on any border is whole or gone', () => {
  const secret = ['hf', 'A1b2C3d4E5A1b2C3d4E5A1b2C3d4E5A1b2'].join('_')
  const redact = redactor(['Prod-Zz9-corporate-model-key'])
  for (const one of [secret, 'Prod-Zz9-corporate-model-key']) {
    for (let before = 0; before < 60; before += 1) {
      const shown = redact(excerpt(`${'word '.repeat(20).slice(0, before)} ${one}", and more text follows here`, 50))
      expect(shown).not.toContain(one.slice(0, 8))
      const end = redact(excerptOfEnd(`${one}", and ${'word '.repeat(20).slice(0, before)}`, 50))
      expect(end).not.toContain(one.slice(-8))
    }
  }
})

test.each([
  ['one long word', 'Q'.repeat(8_000_000)],
  ['many words', 'no '.repeat(3_000_000)],
  ['many letters', '😀'.repeat(4_000_000)],
])('of %s only the part that is kept is looked at', (_, text) => {
  const began = performance.now()
  for (let round = 0; round < 100; round += 1) excerpt(text, 200)
  for (let round = 0; round < 100; round += 1) excerptOfEnd(text, 200)
  excerpt(text, 64 * 1024)
  expect(performance.now() - began).toBeLessThan(500)
})

const LIMIT = 256 * 1024

test.each([
  ['a short text', 'short'],
  ['200 KiB', 'word '.repeat(40 * 1024)],
])('bothEnds of %s is all of it', (_, text) => {
  expect(bothEnds(text)).toBe(text)
})

test.each([
  ['words', 'word '.repeat(200_000)],
  ['letters of three bytes', '你好'.repeat(200_000)],
  ['letters of four bytes', `${'😀'.repeat(200_000)}x`],
  ['one word', 'Q'.repeat(1_000_000)],
])('bothEnds of %s says what is missing', (_, text) => {
  const kept = bothEnds(text)
  const [, head = '', missing = '', tail = ''] = /^(.*)\n… (\d+) bytes left out …\n(.*)$/s.exec(kept) ?? []
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(LIMIT)
  expect(text.startsWith(head)).toBe(true)
  expect(text.endsWith(tail)).toBe(true)
  expect(Buffer.byteLength(head) + Number(missing) + Buffer.byteLength(tail)).toBe(Buffer.byteLength(text))
})

test('a secret on the border of what is kept is whole or gone', () => {
  const secret = `hf_${'A1b2C3d4E5'.repeat(4)}`
  for (let before = 0; before < 50; before += 1) {
    const kept = bothEnds(`${'word '.repeat(before).slice(0, before)}${`${secret} `.repeat(10_000)}`)
    expect(kept.replaceAll(secret, '')).not.toMatch(/[A-Z]\d/)
  }
})
