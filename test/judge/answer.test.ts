import { describe, expect, it } from 'vitest'
import { endOf, headOf, tailOf } from '../../src/judge/answer.ts'
import { completionOf, requestOf, tokens } from './samples.ts'

describe('a quotation', () => {
  it.each([
    ['short enough', 'a  b\n c ', 'a b c', 'a b c'],
    ['cut between words', 'word '.repeat(50), `${'word '.repeat(12)}…`, `…${' word'.repeat(12)}`],
    ['without half a word', `${'k'.repeat(100)} and ${'e'.repeat(100)}`, '…', '…'],
  ])('is %s', (_, text, head, tail) => {
    expect(headOf(text)).toBe(head)
    expect(tailOf(text)).toBe(tail)
  })

  it('of what a server sent as its end is short too', () => {
    const completion = completionOf({ finish: 'x y '.repeat(1000), stop: 'z z '.repeat(1000), tokens: tokens(2) })
    expect(endOf({ completion, request: requestOf() }).length).toBeLessThan(250)
  })
})
