import { expect, test } from 'vitest'

import { readJson } from '../../src/domain/json.ts'

const nested = (depth: number, inner = '') => `${'{"a":['.repeat(depth / 2)}${inner}${']}'.repeat(depth / 2)}`

test.for([
  ['null', 'null'],
  ['a text full of brackets', JSON.stringify('['.repeat(500))],
  ['brackets behind escaped quotes', JSON.stringify(`"${'{'.repeat(500)}\\`)],
  ['64 levels', nested(64)],
  ['100,000 values', `[${'0,'.repeat(99_999)}0]`],
  ['a text with more commas', JSON.stringify(',{['.repeat(200_000))],
  ['many side by side', `[${Array.from({ length: 500 }, () => '[{}]').join()}]`],
])('reads %s', ([, text]) => {
  expect(readJson(text ?? '')).toEqual({ ok: true, value: JSON.parse(text ?? '') })
})

test.for([
  ['nothing', '', 'not-json'],
  ['half of it', '{"a":', 'not-json'],
  ['an open text', `"${'['.repeat(200)}`, 'not-json'],
  ['66 levels', nested(66), 'too-deep'],
  ['65 levels around a text', `[${nested(64, '"]"')}]`, 'too-deep'],
  ['100,001 values', `[${'0,'.repeat(100_000)}0]`, 'too-many'],
  ['a million objects', `{"choices":[${'{},'.repeat(1_000_000)}{}]}`, 'too-many'],
  ['a million keys', `{${'"a":0,'.repeat(1_000_000)}"a":0}`, 'too-many'],
  ['levels without end', '['.repeat(1_000_000), 'too-deep'],
] as const)('refuses %s', ([, text, problem]) => {
  expect(readJson(text)).toEqual({ ok: false, problem })
})
