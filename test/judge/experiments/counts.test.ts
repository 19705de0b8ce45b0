import { expect, test } from 'vitest'
import { errorRate, wilson } from '../../../src/judge/experiments/counts.ts'

/** Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29. */
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the interval of %i of %i', (bad, all, low, high) => {
  const found = wilson(bad, all)
  expect(found.low).toBeCloseTo(low, 4)
  expect(found.high).toBeCloseTo(high, 4)
})

test('without a try nothing is known', () => {
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 })
  expect(errorRate(5, 5)).toBe('error rate 100 %, 95 % interval 57 to 100 %')
})
