import { expect, test } from 'vitest'
import { excerpt, excerptOfEnd } from '../../src/domain/excerpt.ts'
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
