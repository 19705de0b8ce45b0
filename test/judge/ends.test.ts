import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/judge/diagnose.ts'
import { endsOf } from '../../src/judge/ends.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { growth } from '../growth.ts'
import { evidenceOf, tokens } from './samples.ts'
import { PROSE, randomBy } from './texts.ts'

const KIB = 1024

/** Words drawn at random: prose without any loop. */
function prose(length: number): string {
  const [random, words] = [randomBy(length), PROSE.split(/\s+/)]
  const drawn = Array.from({ length: length / 3 }, () => words[Math.floor(random() * words.length)])
  return drawn.join(' ').slice(0, length)
}

describe('what is judged of a text', () => {
  it.each([0, 1, 64 * KIB])('is all of %i characters', (length) => {
    expect(endsOf('a'.repeat(length))).toEqual([{ text: 'a'.repeat(length), at: 0 }])
  })

  it('is both ends of a longer one', () => {
    const text = prose(64 * KIB + 1)
    expect(endsOf(text)).toEqual([
      { text: text.slice(0, 32 * KIB), at: 0 },
      { text: text.slice(32 * KIB + 1), at: 32 * KIB + 1 },
    ])
  })
})

describe('an answer of 2 × 100 KB that the budget ended', () => {
  const spent = { finish: 'length', stop: null, tokens: tokens(200) } as const
  const long = prose(100_000)

  const ideograph = (_: unknown, i: number) => String.fromCharCode(0x4e00 + ((i * 7919) % 20_000))

  it.each<[string, (length: number) => string]>([
    ['prose', prose],
    ['one endless word', (length) => 'a'.repeat(length)],
    ['blanks, nearly a flood', (length) => `${' '.repeat(199)}x`.repeat(length / 200)],
    ['ideographs', (length) => Array.from({ length }, ideograph).join('')],
    ['emoji', (length) => '😀👍'.repeat(length / 4)],
    ['lines', (length) => prose(length).replace(/(.{50}) /g, '$1\n')],
    ['code marks', (length) => '`a'.repeat(length / 2)],
  ])('costs no more to judge where it is twice as long: %s', (_, textOf) => {
    const work = (text: string) => diagnose(evidenceOf({ ...spent, content: text, reasoning: `${text}.` }), rules)
    expect(growth(work, textOf, 100_000).times).toBeLessThan(1.6)
  })

  it.each([
    ['at its end', `${long}${' so it goes on, and'.repeat(100)}`, 100_000],
    ['at its beginning', `${'so it goes on, and '.repeat(100)}${long}`, 0],
  ])('keeps its loop %s', (_, content, from) => {
    const { findings } = diagnose(evidenceOf({ ...spent, content }, { temperature: null }), rules)
    expect(findings[0]).toMatchObject({ code: 'model.degenerate-loop', confidence: 'certain' })
    expect(findings[0].because[0]).toContain(`from character ${from.toLocaleString('en-US')} of the content`)
  })
})
