import { expect, test } from 'vitest'
import { lineOf } from '../../../src/domain/gate/line.ts'

const OP = '0123456789abcdef0123456789abcdef'

test.each([
  ['no words', 'ping', []],
  ['some words', 'log', ['sglang', 'lines', '200']],
  ['a word of 200', 'log', ['a'.repeat(200)]],
  ['14 words', 'log', Array.from({ length: 14 }, () => 'a')],
  ['a dot in front', 'log', ['.hidden']],
])('a line with %s', (_, name, words) => {
  expect(lineOf(name, OP, words)).toEqual({ ok: true, value: ['/bin/sh -s --', name, OP, ...words].join(' ') })
})

test.each([
  ['an empty word', 'log', OP, [''], /""/],
  ['a blank', 'log', OP, ['a b'], /"a b"/],
  ['a newline', 'log', OP, ['a\nid'], /no word/],
  ['a NUL', 'log', OP, ['a\0'], /no word/],
  ['an option', 'log', OP, ['-n'], /"-n"/],
  ['an option of two dashes', 'log', OP, ['--root=x'], /no word/],
  ['a substitution', 'log', OP, ['$(id)'], /no word/],
  ['a semicolon', 'log', OP, ['a;id'], /no word/],
  ['a slash', 'log', OP, ['../x'], /no word/],
  ['a star', 'log', OP, ['*'], /no word/],
  ['another letter', 'log', OP, ['größe'], /no word/],
  ['201 characters', 'log', OP, ['a'.repeat(201)], /no word/],
  ['a bad name', 'log x', OP, [], /"log x"/],
  ['15 words', 'log', OP, Array.from({ length: 15 }, () => 'a'), /15 words/],
  ['a short id', 'log', OP.slice(1), [], /operation id/],
  ['a long id', 'log', `${OP}0`, [], /operation id/],
  ['capitals in the id', 'log', OP.toUpperCase(), [], /operation id/],
  ['no id', 'log', '', [], /operation id/],
  ['too long a line', 'log', OP, ['a'.repeat(200), 'b'.repeat(200)], /more than 400/],
])('no line with %s', (_, name, op, words, observed) => {
  expect(lineOf(name, op, words)).toEqual({
    ok: false,
    failure: {
      kind: 'gate-refused',
      thing: `verb ${name}`,
      observed: expect.stringMatching(observed),
      next: expect.stringMatching(/\w/),
    },
  })
})

test('a line has at most 400 bytes, the constant part among them', () => {
  const longest = lineOf('log', OP, ['a'.repeat(200), 'b'.repeat(400 - '/bin/sh -s -- log '.length - 32 - 202)])
  expect(longest.ok && longest.value.length).toBe(400)
  expect(lineOf('log', OP, ['a'.repeat(200), 'b'.repeat(401 - '/bin/sh -s -- log '.length - 32 - 202)]).ok).toBe(false)
})
