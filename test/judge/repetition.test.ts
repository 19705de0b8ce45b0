import { describe, expect, it } from 'vitest'
import { periodDetector } from '../../src/judge/repetition.ts'
import { ORDINARY, PROSE, pieces, randomBy } from './texts.ts'

describe('the exact period', () => {
  it.each([
    ['2 + 2 = 2.', 10, 60],
    ['!', 1, 600],
    ['ha ', 3, 200],
    [PROSE.slice(100, 600), 500, 5],
  ])('of %j is the smallest, and is called once enough came again', (unit, period, copies) => {
    const detector = periodDetector()
    const text = unit.repeat(copies + 1)
    expect(detector.feed(text)).toEqual({ period, from: 0, length: text.length })
    expect(detector.unit()).toBe(unit.slice(0, 200))
    expect(periodDetector().feed(unit.repeat(copies - 1))).toBeNull()
  })

  it('starts where the first copy starts, after prose', () => {
    expect(periodDetector().feed(PROSE + '(again and)'.repeat(60))).toMatchObject({
      period: 11,
      from: PROSE.length,
    })
  })

  it('does not depend on the borders of pieces', () => {
    const text = PROSE + 'so it goes, '.repeat(60) + PROSE
    const detector = periodDetector()
    const hits = pieces(text, randomBy(1)).map((piece) => detector.feed(piece))
    expect(hits.at(-1)).toEqual(periodDetector().feed(text))
    expect(hits.at(-1)).toMatchObject({ period: 12, from: PROSE.length, length: 720 })
  })

  it('keeps the first long run although the text went on otherwise', () => {
    const detector = periodDetector()
    expect(detector.feed(`${'loop '.repeat(150)}${PROSE}`)).toMatchObject({ period: 5, from: 0 })
    expect(detector.current()?.from ?? 1).toBeGreaterThan(0)
  })

  it('knows the run in which the text stands before it is long', () => {
    const detector = periodDetector()
    expect(detector.feed('well, 12345 12345 12345 12345 ')).toBeNull()
    expect(detector.current()).toEqual({ period: 6, from: 5, length: 25 })
    expect(detector.unit()).toBe(' 12345')
  })

  it.each(Object.entries(ORDINARY))('is silent for %s', (_, text) => {
    expect(periodDetector().feed(text)).toBeNull()
  })
})
