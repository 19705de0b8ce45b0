import { expect, it } from 'vitest'
import { upperBound } from '../scripts/stock/bound.ts'

it.each([
  [0, 3000, 0.000998],
  [0, 10, 0.2589],
  [1, 100, 0.0466],
  [5, 1000, 0.01048],
  [10, 10, 1],
])('%i of %i is a rate of at most …', (hits, of, bound) => {
  expect(upperBound(hits, of)).toBeCloseTo(bound, 4)
})
