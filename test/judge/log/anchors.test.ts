import { expect, test } from 'vitest'
import { anchorSearch } from '../../../src/judge/log/anchors.ts'
import { random } from '../../random.ts'

function found(anchors: readonly string[], text: string): string[] {
  const all: string[] = []
  anchorSearch(anchors)(Buffer.from(text), (at, anchor) => all.push(`${at} ${anchors[anchor]}`))
  return all
}

function plainly(anchors: readonly string[], text: string): string[] {
  const all: string[] = []
  for (let at = 0; at < text.length; at += 1)
    for (const anchor of anchors) if (text.startsWith(anchor, at)) all.push(`${at} ${anchor}`)
  return all
}

test('finds every place, overlapping ones and at both ends', () => {
  expect(found(['aab', 'abaa', 'baa'], 'aabaabaa')).toEqual(plainly(['aab', 'abaa', 'baa'], 'aabaabaa'))
})

test('finds what plain search finds in random texts over few letters', () => {
  let places = 0
  for (let seed = 1; seed <= 3000; seed += 1) {
    const { below, pick } = random(seed)
    const word = (most: number) => Array.from({ length: 3 + below(most) }, () => pick(['a', 'b', 'c']) ?? '').join('')
    const anchors = [...new Set(Array.from({ length: 1 + below(6) }, () => word(5)))]
    const text = word(200)
    const expected = plainly(anchors, text)
    places += expected.length
    expect({ seed, all: found(anchors, text).toSorted() }).toEqual({ seed, all: expected.toSorted() })
  }
  expect(places).toBeGreaterThan(10_000)
})

test('an anchor longer than a shift can say', () => {
  const long = 'ab'.repeat(300)
  expect(found([long], `x${long}x`)).toEqual([`1 ${long}`])
})
