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
  const anchors = ['aabaab', 'abaabaa', 'baabaa', 'aabaabaa']
  const text = `${'aab'.repeat(6)}a`
  expect(found(anchors, text).toSorted()).toEqual(plainly(anchors, text).toSorted())
  expect(found(anchors, text)).toContain('0 aabaab')
  expect(found(anchors, text)).toContain('12 aabaab')
})

test('finds what plain search finds in random texts over few letters', () => {
  let places = 0
  for (let seed = 1; seed <= 3000; seed += 1) {
    const { below, pick } = random(seed)
    const word = (most: number) =>
      Array.from({ length: 6 + below(most) }, () => pick(['a', 'a', 'a', 'b']) ?? '').join('')
    const anchors = [...new Set(Array.from({ length: 1 + below(6) }, () => word(7)))]
    const text = word(200)
    const expected = plainly(anchors, text)
    places += expected.length
    expect({ seed, all: found(anchors, text).toSorted() }).toEqual({ seed, all: expected.toSorted() })
  }
  expect(places).toBeGreaterThan(10_000)
})

test('wherever it stands in memory, whatever its neighbours are', () => {
  const memory = Buffer.alloc(64, 255)
  let places = 0
  for (const anchor of ['sixsix', 'seven77', 'ten 10 ten', 'Größe'])
    for (let at = 0; at < 24; at += 1)
      for (const begin of [0, 1, 2, 3]) {
        memory.fill(255).write(anchor, begin + at)
        const all: number[] = []
        const bytes = memory.subarray(begin, begin + at + Buffer.byteLength(anchor))
        anchorSearch([anchor])(bytes, (place) => all.push(place))
        expect({ anchor, at, begin, all }).toEqual({ anchor, at, begin, all: [at] })
        places += 1
      }
  expect(places).toBe(384)
})
