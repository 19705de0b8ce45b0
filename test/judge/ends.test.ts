import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/judge/diagnose.ts'
import { endsOf } from '../../src/judge/ends.ts'
import { rules } from '../../src/judge/rules/index.ts'
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

  it.each([
    ['prose', long],
    ['one endless word', 'a'.repeat(100_000)],
    ['blanks, nearly a flood', `${' '.repeat(199)}x`.repeat(500)],
    [
      'ideographs',
      Array.from({ length: 100_000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919) % 20_000))).join(''),
    ],
    ['emoji', '😀👍'.repeat(25_000)],
    ['lines', long.replace(/(.{50}) /g, '$1\n')],
    ['code marks', '`a'.repeat(50_000)],
  ])('is judged within 50 ms: %s', (_, text) => {
    const evidence = evidenceOf({ ...spent, content: text, reasoning: `${text}.` })
    const times = Array.from({ length: 5 }, () => {
      const from = process.cpuUsage()
      diagnose(evidence, rules)
      const { user, system } = process.cpuUsage(from)
      return (user + system) / 1000
    })
    expect(Math.min(...times)).toBeLessThan(50)
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
