import { expect, test } from 'vitest'

import { gaugesIn, mean, sum } from '../../src/engines/metrics.ts'
import { random } from '../random.ts'

const NAMES = new Set(['vllm:running', 'up'])
const numbers = (page: string, name = 'up') => gaugesIn(page, NAMES).get(name)

test.for([
  ['bare', 'up 3', [3]],
  ['with a time', 'up 3 1780000000000', [3]],
  ['an exponent', 'up 1.5e+03', [1500]],
  ['a fraction without a zero', 'up .5', [0.5]],
  ['below zero', 'up -2', [-2]],
  ['no labels in braces', 'up{} 3', [3]],
  ['blanks everywhere', 'up{ a = "1" , b="2" , }   3  ', [3]],
  ['no blank after the braces', 'up{a="1"}3', [3]],
  ['quotes, slashes and braces in a label', String.raw`up{a="x \"} 9\\",b="\n"} 3`, [3]],
  ['several engines', 'up{engine="0"} 1\nup{engine="1"} 2', [1, 2]],
  ['the same engine, labels in another order', 'up{a="1",b="2"} 1\nup{b="2",a="1"} 4', [4]],
  ['ranks of one model', 'up{tp_rank="0",dp_rank="0"} 4\nup{tp_rank="1",dp_rank="0"} 3', [4]],
  ['ranks of two models', 'up{tp_rank="0",dp_rank="0"} 4\nup{tp_rank="0",dp_rank="1"} 3', [4, 3]],
  ['not a number', 'up NaN', [null]],
  ['endless', 'up{a="1"} +Inf\nup{a="2"} -Inf', [null, null]],
  ['a rank that knows beside one that does not', 'up{tp_rank="0"} 4\nup{tp_rank="1"} NaN', [4]],
  ['carriage returns', 'up 3\r\nup{a="1"} 4\r\n', [3, 4]],
  ['lines around', '# HELP up 9\n# TYPE up gauge\n\nupper 9\n up 9\nvllm:running 1\nup 3', [3]],
] as const)('%s', ([, page, expected]) => {
  expect(numbers(page)).toEqual(expected)
})

test.for([
  'up',
  'up ',
  'up three',
  'up{a="1"',
  'up{a="1} 3',
  'up{a=1} 3',
  'up{a="1" b="2"} 3',
  'up{"a"} 3',
  'up{,} 3',
  '#up 3',
  'up: 3',
  'down 3',
  '{"up": 3}',
  '<html>up 3</html>',
  '',
])('%j says nothing', (page) => {
  expect(numbers(page)).toBeUndefined()
})

test('sums and means are of all or of none', () => {
  expect([sum([1, 2]), mean([1, 2]), sum([0]), mean([0])]).toEqual([3, 1.5, 0, 0])
  expect([sum([1, null]), mean([1, null]), sum([]), mean([]), sum(undefined), mean(undefined)]).toEqual(
    Array.from({ length: 6 }, () => null),
  )
})

test('a page of 4 MiB takes no time, whatever is in it', () => {
  const size = 4 * 1024 * 1024
  const hostile = [
    '\n',
    'up{',
    'up{a="',
    'up{a="1",',
    'up{a="1" ',
    String.raw`up{a="\\`,
    'up 1\n',
    'up{ ',
    'a',
    '"',
    ' ',
  ]
  for (const part of hostile) {
    for (const page of [part.repeat(size / part.length), `up{${part.repeat(size / part.length)}`]) {
      const began = performance.now()
      gaugesIn(page, NAMES)
      expect(performance.now() - began, JSON.stringify(part)).toBeLessThan(3_000)
    }
  }
})

test('20,000 pages of random signs break nothing', () => {
  const draw = random(Number(process.env['SEED'] ?? 20_261_130))
  const signs = [
    'up',
    'up ',
    'vllm:running ',
    'up{',
    '} ',
    'a="',
    '",',
    '"',
    '\\',
    ' ',
    '\n',
    '1',
    'NaN',
    '-',
    '.5',
    'e9',
    '😀',
  ]
  let read = 0
  for (let round = 0; round < 20_000; round += 1) {
    const page = Array.from({ length: draw.below(24) }, () => draw.pick(signs)).join('')
    for (const values of gaugesIn(page, NAMES).values()) {
      read += 1
      expect(values.every((value) => value === null || Number.isFinite(value))).toBe(true)
    }
  }
  expect(read).toBeGreaterThan(100)
})
