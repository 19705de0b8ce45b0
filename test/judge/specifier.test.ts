import { describe, expect, it } from 'vitest'
import { isEmptyRange, isWithin, readRange } from '../../src/judge/specifier.ts'

/** Each line: a range, what lies in it, and what does not. As PEP 440 says, but for pre-releases that lie inside. */
const TABLE: readonly (readonly [range: string, inside: readonly string[], outside: readonly string[]])[] = [
  [
    '>=0.5.9,<0.5.10rc0',
    ['0.5.9', '0.5.9.post1', '0.5.9+cu129', '0.5.9.post2.dev3', '0.5.10.dev1', '0.5.10a1'],
    ['0.5.9rc1', '0.5.9.dev1', '0.5.8.post1', '0.5.10rc0', '0.5.10', '0.5.11', '1!0.5.9'],
  ],
  [
    '>=0.5.10,<0.5.11',
    ['0.5.10', '0.5.10.post1', '0.5.10.post1+cu128'],
    ['0.5.10rc0', '0.5.11rc1', '0.5.11.dev1', '0.5.11'],
  ],
  ['>0.5.9', ['0.5.10rc0', '0.5.10.dev1', '0.6'], ['0.5.9', '0.5.9.post1', '0.5.9+cu129', '0.5.9rc1']],
  ['>0.5.9.post1', ['0.5.9.post2', '0.5.10'], ['0.5.9.post1', '0.5.9']],
  ['<=0.5.9', ['0.5.9', '0.5.9+cu129', '0.5.9rc1', '0.4'], ['0.5.9.post1', '0.5.10']],
  ['<0.5.11rc2', ['0.5.11rc1', '0.5.11.dev9', '0.5.10'], ['0.5.11rc2', '0.5.11']],
  ['==0.5.9', ['0.5.9', 'v0.5.9', '0.5.9.0', '0.5.9+cu129'], ['0.5.9.post1', '0.5.9rc1', '0.5.10']],
  ['==0.5.*', ['0.5', '0.5.18', '0.5.9rc1', '0.5.9.post1'], ['0.4.9', '0.6.dev1', '0.55']],
  ['!=0.5.10', ['0.5.10.post1', '0.5.9', '0.5.11'], ['0.5.10', '0.5.10+cu128']],
  ['!=0.5.*', ['0.4.9', '0.6'], ['0.5.0', '0.5.18']],
  ['~=0.5.9', ['0.5.9', '0.5.18', '0.5.9.post1'], ['0.5.8', '0.6', '0.6.0rc1']],
  ['~=0.5', ['0.5', '0.9.1'], ['0.4', '1.0']],
  [' >= 0.19 , < 0.20 ', ['0.19.0', '0.19.5', '0.19.1rc1.dev45+gabc'], ['0.18.9', '0.20.0', '0.20.0rc1']],
  ['>=2', ['2', '8'], ['1']],
]

describe.each(TABLE)('%s', (range, inside, outside) => {
  it.each(inside)('takes %s', (version) => expect(isWithin(version, range)).toBe(true))
  it.each(outside)('leaves %s', (version) => expect(isWithin(version, range)).toBe(false))
})

it.each([
  '',
  '0.5.9',
  '=0.5.9',
  '>=',
  '>=0.5.9,',
  '>=0.5.9;<1',
  '>=0.5.*',
  '==0.5.9rc1.*',
  '>=main',
  '~=1',
  '>=0.5.9+cu128',
  '^0.5',
  Array(12).fill('>=1').join(','),
])('%j is no range', (text) => {
  expect(readRange(text)).toBeNull()
  expect(isWithin('0.5.9', text)).toBeNull()
})

it.each(['main', 'b9333', '', '0.5.x'])('%j is no version', (text) => expect(isWithin(text, '>=0')).toBeNull())

it.each([
  ['>=0.5.10,<0.5.9', true],
  ['>0.5.9,<=0.5.9', true],
  ['>=0.5.9,<0.5.9', true],
  ['==0.5.9,>0.5.9', true],
  ['~=0.6.1,<0.6', true],
  ['>=0.5.9,<=0.5.9', false],
  ['>=0.5.9,<0.5.10rc0', false],
  ['==0.5.*,!=0.5.9', false],
  ['<0.5.9', false],
])('%s is empty: %j', (text, empty) => expect(isEmptyRange(readRange(text) ?? [])).toBe(empty))
