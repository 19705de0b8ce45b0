import { describe, expect, it } from 'vitest'
import { compareVersions } from '../../src/judge/version.ts'

describe('PEP 440 versions', () => {
  it.each([
    ['0.5.9', '0.5.10'],
    ['0.5.10.dev1', '0.5.10a1'],
    ['0.5.10a1', '0.5.10b1'],
    ['0.5.10b2', '0.5.10rc0'],
    ['0.5.10rc0', '0.5.10'],
    ['0.5.10', '0.5.10.post1'],
    ['0.5.10.post1', '0.5.11'],
    ['0.5.9.post4', '0.5.10rc0'],
    ['1.0rc1.dev1', '1.0rc1'],
  ])('%s is older than %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0)
    expect(compareVersions(newer, older)).toBeGreaterThan(0)
  })

  it.each([
    ['0.5.10', 'v0.5.10'],
    ['0.5', '0.5.0'],
    ['0.5.10rc1', '0.5.10-RC.1'],
    ['0.5.10', '0.5.10+cu128'],
    ['0.5.10.post1', '0.5.10-1'],
  ])('%s equals %s', (one, other) => {
    expect(compareVersions(one, other)).toBe(0)
  })

  it.each(['', 'main', '9333-gabc', '0.5.x'])('%j is no version', (text) => {
    expect(compareVersions(text, '0.5.9')).toBeNull()
  })
})
