import { describe, expect, it } from 'vitest'
import { endOf, quoted, quotedEnd, saidOf } from '../../src/judge/answer.ts'
import { completionOf, requestOf, tokens } from './samples.ts'

describe('a quotation', () => {
  it.each([
    ['short enough', 'a  b\n c ', 'a b c', 'a b c'],
    ['cut between words', 'word '.repeat(50), `${'word '.repeat(12)}…`, `…${' word'.repeat(12)}`],
    ['without half a word', `${'k'.repeat(100)} and ${'e'.repeat(100)}`, '…', '…'],
  ])('is %s', (_, text, head, tail) => {
    expect(quoted(text)).toBe(`“${head}”`)
    expect(quotedEnd(text)).toBe(`“${tail}”`)
  })

  it('of JSON escapes nothing', () => {
    expect(quoted('{"detail": "Not Found"}')).toBe('“{"detail": "Not Found"}”')
  })

  it('of what a server sent as its end is short too', () => {
    const completion = completionOf({ finish: 'x y '.repeat(1000), stop: 'z z '.repeat(1000), tokens: tokens(2) })
    expect(endOf({ completion, request: requestOf() }).length).toBeLessThan(250)
  })
})

describe('numbers', () => {
  it.each([
    [1, 1, '1 of 1 token used, finish "stop"'],
    [1996, 4096, '1,996 of 4,096 tokens used, finish "stop"'],
    [null, 4096, 'budget 4,096 tokens, none counted by the server, finish "stop"'],
  ])('%s of %i tokens are written as in the facts', (used, budget, said) => {
    const completion = completionOf({ stop: null, tokens: tokens(used) })
    expect(endOf({ completion, request: requestOf({ budget }) })).toBe(said)
  })

  it.each([
    ['x', 'content: 1 character'],
    ['x'.repeat(1234), 'content: 1,234 characters'],
    [' ', 'content: 1 character, all white space'],
  ])('of characters too', (text, said) => {
    expect(saidOf('content', text)).toBe(said)
  })
})
