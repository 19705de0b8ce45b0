import type { Code } from '../domain/code.ts'
import { isFault } from '../domain/code.ts'
import type { Diagnosis, Evidence, Finding, Rule } from '../domain/finding.ts'

/**
 * Runs all rules and puts the leading finding first: causes before symptoms, certain before likely, remarks last.
 * What is fine is said only where nothing is wrong, and before what is merely possible. Never empty: without any finding
 * it names what is missing.
 */
export function diagnose(evidence: Evidence, rules: readonly Rule[]): Diagnosis {
  const said = rules.flatMap((rule) => rule.check(evidence))
  const faults = withoutExplained(said.filter(({ code }) => isFault(code)))
  const fine = said.filter(({ code }) => !isFault(code))
  const isWrong = faults.some(({ confidence }) => confidence !== 'possible')
  const heard = isWrong ? faults : [...fine, ...faults]
  const [first = needMore(evidence), ...rest] = heard.toSorted((one, other) => place(one) - place(other))
  return { verdict: first.verdict, code: first.code, findings: [first, ...rest] }
}

/** What spends any budget: beside it the advice to raise the budget is wrong. */
const WASTEFUL = new Set(['model', 'sampling', 'grammar', 'template'])

function withoutExplained(faults: readonly Finding[]): readonly Finding[] {
  const isWasted = faults.some(({ code, confidence }) => WASTEFUL.has(familyOf(code)) && confidence !== 'possible')
  return isWasted ? faults.filter(({ code }) => familyOf(code) !== 'budget') : faults
}

function familyOf(code: Code): string {
  return code.split('.')[0] ?? ''
}

/** What follows from something else: a loop spends the budget, a dead engine cuts the stream. */
const SYMPTOMS = new Set(['budget', 'stream', 'transport'])
/** True, yet rarely what hurts; and the wrapper in which a server says that something failed. */
const REMARKS: ReadonlySet<Code> = new Set([
  'engine.usage-wrong',
  'engine.finish-reason-wrong',
  'engine.finish-reason-missing',
  'engine.invariant',
  'proxy.sse-mangled',
  'log.need-more',
])

const CONFIDENCE = { certain: 0, likely: 1, possible: 2 }

function place({ code, confidence }: Finding): number {
  return 10 * group(code, confidence) + CONFIDENCE[confidence]
}

/** A merely possible cause does not outrank an observed symptom. */
function group(code: Code, confidence: Finding['confidence']): number {
  if (REMARKS.has(code)) return 3
  if (SYMPTOMS.has(familyOf(code))) return 1
  return confidence === 'possible' ? 2 : 0
}

function needMore({ smoke }: Evidence): Finding {
  const missing = smoke === undefined ? 'a smoke of this target' : 'an answer or a failure of the smoke'
  return {
    code: 'log.need-more',
    verdict: 'inconclusive',
    cause: 'The evidence does not hold a cause.',
    because: [smoke === undefined ? 'no smoke was run' : 'the smoke ended without an answer and without a failure'],
    remedy: ['Run the smoke again; then look into the engine log of the same minute.'],
    confidence: 'certain',
    missing: [missing],
  }
}
