import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Case } from '../../bench/rivals/cases.ts'
import { isHealthy, labelledCases, textOf } from '../../bench/rivals/cases.ts'
import { byWords, compare, scoreOf } from '../../bench/rivals/compare.ts'
import { hasKeyword, KEYWORDS } from '../../bench/rivals/keywords.ts'
import type { Verdict } from '../../src/domain/verdict.ts'

const cases = labelledCases()
const compared = compare(cases)

test('the README shows what comes out now', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const shown = /<!-- bench:rivals -->\n\n([\s\S]*?)\n\n<!-- \/bench:rivals -->/.exec(readme)?.[1]
  expect(shown).toBe(compared.table)
})

describe('the comparison can fail', () => {
  const given = (id: string, verdict: Verdict): Case => ({ id, kind: 'B', input: { log: id }, verdict })
  const four = [
    given('fine', 'healthy'),
    given('cleaned', 'ok-normalized'),
    given('bad', 'broken'),
    given('?', 'inconclusive'),
  ]

  test.each([
    ['healthy', 2, 1, 0],
    ['unhealthy', 2, 0, 2],
    ['broken', 2, 1, 2],
    ['inconclusive', 2, 1, 0],
  ] as const)(
    'who always says %s is right about %i, has the verdict of %i, and %i false alarms',
    (said, right, exact, falseAlarms) => {
      const score = scoreOf(() => said, four)
      expect([score.right.length, score.exact, score.falseAlarms]).toEqual([right, exact, falseAlarms])
    },
  )

  test('who is right is right everywhere', () => {
    expect(scoreOf(({ verdict }) => verdict, four)).toEqual({ right: four, exact: 4, falseAlarms: 0 })
  })
})

describe('the list of words', () => {
  test('has 40 different words, each of which is found', () => {
    expect(new Set(KEYWORDS).size).toBe(40)
    expect(KEYWORDS.filter((word) => !hasKeyword(`before ${word.toUpperCase()} after`, [word]))).toEqual([])
  })

  test.each([
    ['RuntimeError: CUDA out of memory', true],
    ['ssh: connect to host gpu1 port 22: Connection refused', true],
    ['{"message":{"content":null}}', true],
    ['{"message":{"content":"Hello!","reasoning_content":null,"tool_calls":null}}', false],
    ['The server is fired up and ready to roll!', false],
  ])('%s', (text, found) => {
    expect(hasKeyword(text)).toBe(found)
  })

  test('is right of healthy cases and of faulty ones, and would not be better without any one word', () => {
    const { right } = compared.words
    expect(right.filter(({ verdict }) => isHealthy(verdict)).length).toBeGreaterThan(30)
    expect(right.filter(({ verdict }) => !isHealthy(verdict)).length).toBeGreaterThan(60)
    const texts = cases.map((one) => ({ text: textOf(one), isFine: isHealthy(one.verdict) }))
    const without = (word: string): number => {
      const words = KEYWORDS.filter((one) => one !== word)
      return texts.filter(({ text, isFine }) => hasKeyword(text, words) !== isFine).length
    }
    expect(KEYWORDS.filter((word) => without(word) > right.length)).toEqual([])
  })

  test('is not shown what was asked for', () => {
    const asked: Case = {
      id: 'asked',
      kind: 'A',
      input: { request: { prompt: 'Explain this error' }, response: { status: 200, body: 'It is a typo.' } },
      verdict: 'healthy',
    }
    expect([textOf(asked), byWords(asked)]).toEqual(['200\nIt is a typo.', 'healthy'])
  })
})
