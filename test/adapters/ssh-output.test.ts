import { expect, test } from 'vitest'
import { output } from '../../src/adapters/ssh-output.ts'
import { redactor } from '../../src/domain/redact.ts'

/** What is kept of a text that comes in pieces of so many bytes. */
function kept(text: string, most: number, size = 7): string {
  const one = output(most)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) one.add(bytes.subarray(at, at + size))
  return one.text()
}

test.each([
  ['all of it where it fits', 'one\ntwo', 7, 'one\ntwo'],
  ['whole lines where it does not', 'one\ntwo\nthree', 10, 'one\ntwo\n'],
  ['whole words where there is one line', 'one two three', 10, 'one two '],
  ['whole letters', 'ab 😀😀', 8, 'ab 😀'],
])('it keeps %s', (_, text, most, expected) => {
  expect(kept(text, most)).toBe(expected)
})

test('it says once more came than is kept, also where that begins a new piece', () => {
  const one = output(4)
  expect([one.add(Buffer.from('abc\n')), one.text()]).toEqual([true, 'abc\n'])
  expect([one.add(Buffer.from('x')), one.text()]).toEqual([false, 'abc\n'])
})

test('of a secret that the end of what is kept splits nothing is shown, wherever it is split', () => {
  const told = 'correct^horse!battery#staple'
  const shape = ['hf', 'A1b2C3d4E5A1b2C3d4E5A1b2C3d4E5A1b2'].join('_')
  const redact = redactor([told])
  for (const secret of [told, shape])
    for (const before of ['', 'GPU 0\n'])
      for (let part = 0; part <= secret.length; part += 1) {
        const text = `${before}start with ${secret} and more`
        const shown = redact(kept(text, text.indexOf(secret) + part))
        for (let at = 0; at + 8 <= secret.length; at += 1) expect(shown).not.toContain(secret.slice(at, at + 8))
      }
})
