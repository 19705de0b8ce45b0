import { describe, expect, it } from 'vitest'
import type { Finding, Rule } from '../../src/domain/finding.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { withSmoke } from './samples.ts'

function finding(code: Finding['code'], confidence: Finding['confidence'] = 'certain'): Finding {
  return { code, confidence, verdict: 'broken', cause: code, because: [], remedy: [] }
}

function order(...findings: readonly Finding[]): string[] {
  const rule: Rule = { codes: [], check: () => findings }
  return diagnose(withSmoke({}), [rule]).findings.map(({ code }) => code)
}

describe('the leading finding', () => {
  it.each([
    [
      'a cause before a symptom',
      [finding('stream.stalled'), finding('model.nan-logits')],
      ['model.nan-logits', 'stream.stalled'],
    ],
    [
      'certain before likely',
      [finding('model.gibberish', 'likely'), finding('engine.aborted')],
      ['engine.aborted', 'model.gibberish'],
    ],
    [
      'a likely cause before a certain symptom',
      [finding('transport.truncated'), finding('model.degenerate-loop', 'likely')],
      ['model.degenerate-loop', 'transport.truncated'],
    ],
    [
      'a symptom before a possible cause',
      [finding('model.degenerate-loop', 'possible'), finding('budget.too-small')],
      ['budget.too-small', 'model.degenerate-loop'],
    ],
    [
      'a wrapper last',
      [finding('engine.invariant'), finding('model.gibberish', 'possible')],
      ['model.gibberish', 'engine.invariant'],
    ],
    ['the earlier rule of two equals', [finding('ssh.auth'), finding('ssh.key')], ['ssh.auth', 'ssh.key']],
  ])('is %s', (_, findings, expected) => {
    expect(order(...findings)).toEqual(expected)
  })

  it('says nothing of the budget beside what spends any budget', () => {
    expect(order(finding('budget.too-small'), finding('model.degenerate-loop'))).toEqual(['model.degenerate-loop'])
    expect(order(finding('context.exceeded'), finding('model.degenerate-loop'))).toEqual(['model.degenerate-loop'])
    expect(order(finding('context.exceeded'), finding('model.degenerate-loop', 'possible'))).toHaveLength(2)
    expect(order(finding('budget.too-small'), finding('parser.reasoning-missing'))).toHaveLength(2)
  })

  it('is healthy only where nothing is wrong', () => {
    expect(order(finding('ok.answered'))).toEqual(['ok.answered'])
    expect(order(finding('ok.answered'), finding('engine.usage-wrong'))).toEqual(['engine.usage-wrong'])
  })

  it('is healthy where a fault is merely possible, and says so after it', () => {
    const maybe = finding('model.gibberish', 'possible')
    expect(order(maybe, finding('ok.answered'))).toEqual(['ok.answered', 'model.gibberish'])
    expect(order(maybe)).toEqual(['model.gibberish'])
  })
})

describe('without any finding', () => {
  it.each([
    ['a smoke', { target: withSmoke({}).target }, 'a smoke of this target'],
    ['an answer', withSmoke({ completion: null }), 'an answer or a failure of the smoke'],
  ])('it names what is missing: %s', (_, evidence, missing) => {
    const { verdict, code, findings } = diagnose(evidence, [])
    expect({ verdict, code, missing: findings[0].missing }).toEqual({
      verdict: 'inconclusive',
      code: 'log.need-more',
      missing: [missing],
    })
  })
})
