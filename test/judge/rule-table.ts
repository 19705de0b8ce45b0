import { describe, expect, it } from 'vitest'
import type { Evidence, Finding, Rule } from '../../src/domain/finding.ts'

interface Table {
  /** what it says, and of what */
  readonly speaks: Readonly<Record<string, readonly [Evidence, Partial<Finding>]>>
  /** what it must keep out of; more than it speaks of */
  readonly silent: Readonly<Record<string, Evidence>>
}

/** The two sides of a rule: where it speaks, and where it must not. Each finding gives evidence and a way out. */
export function ruleTable(rule: Rule, { speaks, silent }: Table): void {
  describe('speaks', () => {
    it.each(Object.entries(speaks))('%s', (_, [evidence, expected]) => {
      const [finding, ...more] = rule.check(evidence)
      expect(finding).toMatchObject(expected)
      expect(more).toEqual([])
      expect(rule.codes).toContain(finding?.code)
      expect(finding?.because.length).toBeGreaterThan(0)
      expect(finding?.remedy.length).toBeGreaterThan(0)
    })
  })
  describe('is silent', () => {
    it.each(Object.entries(silent))('%s', (_, evidence) => {
      expect(rule.check(evidence)).toEqual([])
    })
  })
}
