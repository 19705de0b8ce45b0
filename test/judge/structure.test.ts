import { describe, expect, it } from 'vitest'
import { isQuotedData, isStructured } from '../../src/judge/structure.ts'
import { CODE, PROSE } from './texts.ts'

describe('structured', () => {
  it.each([
    ['an array', '[0, 0, 0]'],
    ['an object in a fence', '```json\n{"a": 1}\n```'],
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['CSV', 'a,b,c\n1,2,3\n1,2,3\n'],
    ['CSV in a fence', '~~~\na;b;c\n1;2;3\n1;2;3\n~~~'],
  ])('%s', (_, text) => {
    expect(isStructured(text)).toBe(true)
  })

  it.each([
    ['an array that does not end', '[0, 0, 0'],
    ['prose', PROSE],
    ['code', CODE],
    ['two rows', 'a,b,c\n1,2,3'],
    ['rows of different length', 'a,b,c\n1,2\n1,2,3'],
    ['equal lines', 'loop\nloop\nloop'],
    ['a number', '12'],
    ['a fence alone', '```'],
    ['nothing but fences', '`'.repeat(200_000)],
    ['nothing', ''],
  ])('not %s', (_, text) => {
    expect(isStructured(text)).toBe(false)
  })
})

describe('data in quotes', () => {
  const rows = '["a1", "é"], ["a2", "ü"],\n'.repeat(12)

  it.each([
    ['a piece of a JSON file', rows],
    ['one that begins inside quotes', rows.slice(3)],
  ])('%s', (_, text) => {
    expect(isQuotedData(text)).toBe(true)
  })

  it.each([
    ['a few values', '["a1", "é"]'],
    ['a dialogue', '"A lamp is a lamp," he told them, "but a margin is a conversation." '.repeat(12)],
    ['prose', PROSE],
  ])('not %s', (_, text) => {
    expect(isQuotedData(text)).toBe(false)
  })
})
