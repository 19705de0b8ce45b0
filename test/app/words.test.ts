import { expect, test } from 'vitest'
import { adHocWords, besideUrl } from '../../src/app/words.ts'

test.each([
  [['smoke', 'hi'], { words: ['smoke', 'hi'], url: null, model: null, engine: null }],
  [['smoke', 'hi', '--url', 'http://a'], { words: ['smoke', 'hi'], url: 'http://a', model: null, engine: null }],
  [
    ['--url=http://a?x=1', 'smoke', '--model', 'm', 'hi'],
    { words: ['smoke', 'hi'], url: 'http://a?x=1', model: 'm', engine: null },
  ],
  [['smoke', '--url'], { words: ['smoke'], url: '', model: null, engine: null }],
  [['smoke', '--urls', 'x'], { words: ['smoke', '--urls', 'x'], url: null, model: null, engine: null }],
])('adHocWords(%j)', (given, expected) => {
  expect(adHocWords(given)).toEqual(expected)
})

test.each([
  [['smoke', 'hi', '--target', 'qwen'], '--target'],
  [['smoke', 'hi', '--target=qwen'], '--target'],
  [['smoke', 'hi', '--on', 'all'], '--on'],
  [['smoke', 'what does --target do?'], null],
  [['smoke', 'hi', '--targets'], null],
  [['smoke', 'hi', 'on', 'all'], null],
])('besideUrl(%j) is %s', (words, flag) => {
  expect(besideUrl(words)).toBe(flag)
})
