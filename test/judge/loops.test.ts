import { describe, expect, it } from 'vitest'
import type { Completion } from '../../src/domain/completion.ts'
import { findLoop } from '../../src/judge/loops.ts'
import { completionOf, requestOf, smokeOf, tokens } from './samples.ts'
import { ORDINARY, PROSE } from './texts.ts'

function loopIn(change: Partial<Completion>, prompt = 'Say hello in one sentence.') {
  return findLoop(smokeOf({ request: requestOf({ prompt }), completion: completionOf(change) }))
}

const spent = { finish: 'length', stop: null, tokens: tokens(200) } as const
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('')

describe('a loop in an answer that has ended', () => {
  it.each([
    ['an exact one', { content: 'claus '.repeat(110) }, { signal: 'period', period: 6, certain: true }],
    ['one in the reasoning', { content: '', reasoning: 'wait, '.repeat(110) }, { channel: 'reasoning', certain: true }],
    ['one that the budget cut short', { ...spent, content: '!'.repeat(200) }, { signal: 'short', period: 1 }],
    ['one with a blank end', { ...spent, content: `${'so '.repeat(40)}\n\n` }, { signal: 'short', period: 3 }],
    ['white space', { ...spent, content: `{"a": ${' \n'.repeat(150)}` }, { signal: 'white-space', period: 2 }],
    [
      'one that counts',
      { ...spent, content: many(30, (i) => `Attempt ${i}: let me check the answer again. `) },
      { signal: 'masked', from: 0 },
    ],
    [
      'one that drifts',
      {
        ...spent,
        reasoning: many(60, (i) => `Now the ${PROSE.split(' ')[i]} must be looked at with great care once more. `),
      },
      { signal: 'recurring' },
    ],
  ])('%s', (_, answer, expected) => {
    expect(loopIn(answer)).toMatchObject({ certain: false, ...expected })
  })

  it('for which we ended the stream is that one', () => {
    const cut = loopIn({ content: 'claus '.repeat(100) })
    expect(findLoop(smokeOf({ completion: completionOf({ content: 'claus claus' }), cut }))).toBe(cut)
  })

  it('shows at most 200 characters of its unit', () => {
    expect(loopIn({ content: PROSE.repeat(6) })?.unit).toHaveLength(200)
  })
})

describe('no loop', () => {
  it.each(Object.entries(ORDINARY))('in %s', (_, text) => {
    expect(loopIn({ content: text }, 'Explain it.')).toBeNull()
    expect(loopIn({ content: 'Done.', reasoning: text }, 'Explain it.')).toBeNull()
  })

  it.each([
    ['requested', { ...spent, content: 'ha '.repeat(200) }, "Write 'ha' 500 times"],
    [
      'a numbered list, requested',
      { ...spent, content: many(40, (i) => `${i + 1}. ha\n`) },
      "Number it: 'ha' fifty times",
    ],
    ['FizzBuzz', { ...spent, content: many(60, (i) => `${i % 3 === 0 ? 'Fizz' : i}\n`) }, 'FizzBuzz to 300'],
    ['figures that count', { ...spent, content: many(300, (i) => `${i}, `) }, 'Explain it.'],
    [
      'the alphabet again and again',
      { ...spent, content: many(30, () => 'abcdefghijklmnopqrstuvwxyz\n') },
      'Repeat the alphabet',
    ],
    ['JSON that parses', { content: `[${many(60, () => '{"name": "Anna"}, ')}1]` }, 'Answer in JSON'],
    ['rows of a table', { content: many(40, () => 'Anna,12,yes,Oslo\n') }, 'Export the people'],
    [
      'counting with a clean stop',
      { content: many(40, (i) => `Step ${i}: turn the wheel a little further. `) },
      'Guide me',
    ],
    ['a table cut by the budget', { ...spent, content: `${PROSE}\n|${'---|'.repeat(12)}` }, 'A table of people'],
    ['a few words cut by the budget', { ...spent, content: 'no no no no' }, 'Explain it.'],
    ['nothing', { content: null }, 'Explain it.'],
  ])('%s', (_, answer, prompt) => {
    expect(loopIn(answer, prompt)).toBeNull()
  })

  it('in a smoke without an answer', () => {
    expect(findLoop(smokeOf({ completion: null }))).toBeNull()
  })
})
