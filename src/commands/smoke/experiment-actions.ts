import { isFault } from '../../domain/code.ts'
import type { Diagnosis, Evidence } from '../../domain/finding.ts'
import type { Action } from '../../domain/report.ts'
import { advisedSampling } from '../../judge/experiments/advised.ts'
import { choose } from '../../judge/experiments/choose.ts'
import { experiments } from '../../judge/experiments/index.ts'

/** Experiments that are offered one by one; Why? runs all. */
const OFFERED = 2

/** Those that have a button of their own beside a smoke, and one that tells little without the others. */
const NOT_OFFERED: ReadonlySet<string> = new Set(['double-budget', 'thinking-off', 'prompt-tokens'])

/** What to press where a smoke failed: all experiments that tell its causes apart, or one of the cheapest. */
export function experimentActions(evidence: Evidence, diagnosis: Diagnosis): readonly Action[] {
  if (!isFault(diagnosis.code)) return []
  const puzzle = { evidence, diagnosis, alone: diagnosis, sampling: advisedSampling(evidence), other: null }
  const cheap = choose(puzzle, experiments).filter(({ experiment }) => experiment.cost !== 'loading')
  if (cheap.length === 0) return []
  const single = cheap.map(({ experiment }) => experiment).filter(({ name }) => !NOT_OFFERED.has(name))
  const on = `--target ${evidence.target.name}`
  return [
    { label: 'Why?', line: `smoke why ${on}`, style: 'plain' },
    ...single
      .slice(0, OFFERED)
      .map(({ title, name }) => ({ label: title, line: `smoke why --only ${name} ${on}`, style: 'plain' as const })),
  ]
}
