import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../src/domain/finding.ts'
import type { Fact } from '../../../src/domain/knowledge.ts'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { knownFault } from '../../../src/judge/rules/known-fault.ts'
import { withTaught } from '../../../src/judge/taught.ts'
import { ruleTable } from '../rule-table.ts'
import { engineOf, evidenceOf, failureOf, tokens, withSmoke } from '../samples.ts'

const LOOP = `Two and two. ${'2 + 2 = 2.'.repeat(40)}`
const SALAD = '的 ofrecuz aunque иму ráp 사이 zwischen أن ngữ ofrec 完 grâce ที mpz иму ráp 사이 zwischen أن ngữ grâce'

const loops = evidenceOf({ content: LOOP, tokens: tokens(200), finish: 'length' }, { temperature: 0.7 })
const salad = evidenceOf({ content: SALAD, tokens: tokens(60) })
const sound = evidenceOf({})
const on = (evidence: Evidence, engine: Parameters<typeof engineOf>[0] = {}): Evidence => ({
  ...evidence,
  engine: engineOf(engine),
})
const FP8 = { version: '0.5.9', loaded: 'Qwen/Qwen3.6-27B-FP8', tensorParallel: 1 }
const endsInThinking = evidenceOf({ content: '', reasoning: 'Let me think. First', tokens: tokens(40) })
const fails = withSmoke({ completion: null, failure: failureOf('cut') })

ruleTable(knownFault, {
  speaks: {
    'a loop, on the version of the field story': [
      on(loops),
      { code: 'model.tp-comm-suspect', confidence: 'certain', verdict: 'broken' },
    ],
    'a salad of tokens, where the loader drops the scales': [
      on(salad, FP8),
      { code: 'model.weights-misloaded', confidence: 'certain' },
    ],
    'a sound answer all the same: a remark': [on(sound), { code: 'model.tp-comm-suspect', confidence: 'possible' }],
    'another fault of this version than the one seen: a remark': [
      on(fails),
      { code: 'model.tp-comm-suspect', confidence: 'possible' },
    ],
    'what was only reported, with an answer that shows it': [
      on(endsInThinking, { version: '0.5.12' }),
      { code: 'model.eos-in-reasoning', confidence: 'possible' },
    ],
    'a crash, on a version that was reported to crash': [
      on(fails, { version: '0.5.13' }),
      { code: 'engine.kernel-crash', confidence: 'possible' },
    ],
  },
  silent: {
    'no smoke': { target: sound.target, engine: engineOf() },
    'a loop on a version without faults': on(loops, { version: '0.5.14' }),
    'a loop on one card': on(loops, { tensorParallel: 1 }),
    'a loop with a mixture of experts': on(loops, { loaded: 'Qwen/Qwen3.6-35B-A3B' }),
    'a loop of an unknown model': on(loops, { loaded: 'our-tune' }),
    'a loop of an unknown version': on(loops, { version: null }),
    'a loop of a build without a tag': on(loops, { version: '0.0.0.dev1+gabc' }),
    'a loop of another engine': on(loops, { kind: 'vllm' }),
    'a sound answer, where a fault is only reported': on(sound, { version: '0.5.12' }),
    'a sound answer, where a crash is only reported': on(sound, { version: '0.5.13' }),
    'a salad without FP8, where the scales are dropped': on(salad, { version: '0.5.9', tensorParallel: 1 }),
    'no engine': salad,
  },
})

describe('beside other rules', () => {
  it('the sound answer stays healthy; what is known stands behind it', () => {
    const { verdict, code, findings } = diagnose(on(sound), rules)
    expect([verdict, code]).toEqual(['healthy', 'ok.answered'])
    expect(findings.map((one) => one.code)).toContain('model.tp-comm-suspect')
    expect(findings.map((one) => one.code)).toContain('version.too-old')
  })

  it('where the text itself is certain it leads, with the known fault in its evidence', () => {
    const { code, findings } = diagnose(on(loops), rules)
    expect(code).toBe('model.degenerate-loop')
    expect(findings[0].because.join()).toContain('sglang PRs 19070, 19411')
    expect(findings.map((one) => one.code)).toContain('model.tp-comm-suspect')
  })

  it('a cause is named once for certain, however many are known', () => {
    const engine = engineOf({ ...FP8, tensorParallel: 2 })
    const found = knownFault.check({ ...salad, engine })
    expect(found.map(({ code, confidence }) => `${code} ${confidence}`)).toEqual([
      'model.weights-misloaded certain',
      'model.tp-comm-suspect possible',
    ])
  })
})

const TAUGHT: Fact = {
  family: null,
  model: 'our-tune',
  engine: 'vllm',
  versions: '>=0.19,<0.20',
  tensorParallel: '>=2',
  quantisation: ['awq'],
  flags: [],
  code: 'model.gibberish',
  cause: 'this build adds up the experts twice',
  fixed: null,
  fix: 'start with --enforce-eager',
  source: 'https://tickets.example/OPS-12',
  date: '2026-11-20',
  standing: 'stated',
}

describe('what a team taught', () => {
  const engine = { kind: 'vllm', version: '0.19.2', loaded: '/models/our-tune', tensorParallel: null } as const
  const argv = ['vllm', 'serve', '/models/our-tune', '--tensor-parallel-size', '4', '--quantization', 'awq']
  const knowing = withTaught([knownFault], [TAUGHT])
  const heard = (evidence: Evidence) => knowing.flatMap((rule) => rule.check(evidence))

  it('is heard like our own: by flags, and with its source', () => {
    expect(heard({ ...on(salad, engine), argv })).toMatchObject([
      { code: 'model.gibberish', confidence: 'certain', remedy: ['Start with --enforce-eager.'] },
    ])
    expect(heard({ ...on(salad, engine), argv })[0]?.because.at(-1)).toBe(
      'source: https://tickets.example/OPS-12 (2026-11-20)',
    )
  })

  it('does not reach other settings', () => {
    expect(heard(on(salad, engine))).toEqual([])
    expect(heard({ ...on(salad, { ...engine, version: '0.20.0' }), argv })).toEqual([])
    expect(heard({ ...on(salad, engine), argv: argv.slice(0, 5) })).toEqual([])
    expect(knownFault.check({ ...on(salad, engine), argv })).toEqual([])
  })

  it('leaves the rules as they are where nothing is taught', () => {
    expect(withTaught(rules, [])).toBe(rules)
  })
})
