import { expect, test } from 'vitest'
import { nearest } from '../../src/domain/nearest.ts'

test.each([
  ['smok', 'smoke'],
  ['SMOKE', 'smoke'],
  ['retyr', 'retry'],
  ['smoke', 'smoke'],
  ['smoek', 'smoke'],
  ['smirk', null],
  ['restart', null],
  ['', null],
])('%s means %s', (word, meant) => {
  expect(nearest(word, ['smoke', 'retry', 'whoami'], 2)).toBe(meant)
})

test('letters that changed places are one edit', () => {
  expect(nearest('jsno', ['json'], 1)).toBe('json')
  expect(nearest('sjno', ['json'], 1)).toBeNull()
})

test('the first of two that are equally near, and none among none', () => {
  expect(nearest('ax', ['ab', 'ac'], 1)).toBe('ab')
  expect(nearest('ax', [], 2)).toBeNull()
})
