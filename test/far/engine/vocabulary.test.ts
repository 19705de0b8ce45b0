import { expect, test } from 'vitest'
import { branch, chainModel, path } from './models/chain.ts'
import { END, vocabulary } from './models/vocabulary.ts'

test('bytes come first, then the blank line, control tokens, tags and phrases, filled up to 32', () => {
  const words = vocabulary([' + 2', '2', ' 你'])
  expect(words.tokens.slice(0, 3)).toEqual(['Ā', 'ā', 'Ă'])
  expect(words.tokens.slice(256, 264)).toEqual([
    'ĊĊ',
    '<|endoftext|>',
    '<|im_start|>',
    '<|im_end|>',
    '<think>',
    '</think>',
    'Ġ+Ġ2',
    'Ġä½ł',
  ])
  expect(words.kinds.slice(255, 263)).toEqual([1, 1, 3, 3, 3, 4, 4, 1])
  expect(words.tokens).toHaveLength(288)
  expect(words.tokens.at(-1)).toBe('<|unused23|>')
})

test.each([
  ['2', 0x32],
  ['\n', 10],
  ['\n\n', 256],
  [END, 259],
  [' + 2', 262],
])('%j has the id %i', (text, id) => {
  expect(vocabulary([' + 2']).id(text)).toBe(id)
})

test('a text without a token is a mistake in a chain', () => {
  expect(() => vocabulary([]).id('ab')).toThrow('no token has the text "ab"')
})

test('a model has room for 512 tokens', () => {
  const phrases = Array.from({ length: 300 }, (_, n) => `phrase ${n}`)
  expect(() => chainModel('big', branch('\n', phrases))).toThrow('at most 512')
})

test('a path goes from each text to the next', () => {
  expect(path('a', 'b', 'a')).toEqual([
    { from: 'a', to: 'b', share: 1 },
    { from: 'b', to: 'a', share: 1 },
  ])
})
