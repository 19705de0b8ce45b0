import { expect, test } from 'vitest'
import { backoff } from '../../../src/surfaces/slack/backoff.ts'

const WAITS = { firstWaitMs: 500, longestWaitMs: 15_000 }

test.each([
  [0, 500],
  [1, 750],
  [2, 1_125],
  [8, 12_814],
  [9, 15_000],
  [10, 15_000],
  [10_000, 15_000],
])('after %i tries at most %i ms, at least half of it', (tries, ms) => {
  expect(Math.round(backoff(tries, WAITS, 1))).toBe(ms)
  expect(backoff(tries, WAITS, 0)).toBe(backoff(tries, WAITS, 1) / 2)
})
