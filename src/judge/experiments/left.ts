import type { Code } from '../../domain/code.ts'
import type { Conclusion, Puzzle, TrialRun } from '../../domain/experiment.ts'
import type { Diagnosis, Finding } from '../../domain/finding.ts'

/**
 * What experiments left of a diagnosis. What they ruled out is gone; where that was the leading finding, what they
 * confirmed leads. A cause that stands stays before the symptoms that they saw again. Never empty.
 */
export function leftOf(
  puzzle: Pick<Puzzle, 'diagnosis' | 'alone'>,
  runs: readonly TrialRun[],
  conclusions: readonly Conclusion[],
): Diagnosis {
  const { diagnosis, alone } = puzzle
  const confirmed = new Set(conclusions.flatMap(({ confirms }) => confirms))
  const ruledOut = new Set(conclusions.flatMap(({ rulesOut }) => rulesOut)).difference(confirmed)
  const kept = diagnosis.findings.filter(({ code }) => !ruledOut.has(code))
  const seen = [
    ...conclusions.flatMap(({ finding }) => finding ?? []),
    ...runs.flatMap((run) => run.diagnosis.findings),
  ]
  const added = onceEach([...alone.findings, ...seen]).filter(
    ({ code }) => confirmed.has(code) && diagnosis.findings.every((finding) => finding.code !== code),
  )
  const [leading] = diagnosis.findings
  if (kept[0] === leading) {
    const fresh = added.filter(({ code }) => alone.findings.every((finding) => finding.code !== code))
    return diagnosisOf(leading, [...kept.slice(1), ...fresh])
  }
  const isConfirmed = ({ code }: Finding): boolean => confirmed.has(code)
  const order = [...kept.filter(isConfirmed), ...added, ...kept.filter((finding) => !isConfirmed(finding))]
  const [first = nothingLeft(leading, ruledOut), ...rest] = order
  return diagnosisOf(first, rest)
}

function diagnosisOf(first: Finding, rest: readonly Finding[]): Diagnosis {
  return { verdict: first.verdict, code: first.code, findings: [first, ...rest] }
}

function onceEach(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ code }, at) => findings.findIndex((one) => one.code === code) === at)
}

function nothingLeft(leading: Finding, ruledOut: ReadonlySet<Code>): Finding {
  return {
    code: 'log.need-more',
    verdict: 'inconclusive',
    cause: `The experiments ruled out what the answer spoke for (${leading.code}), and nothing else is left.`,
    because: [`ruled out: ${[...ruledOut].join(', ')}`],
    remedy: ['Read the engine log of this minute and walk up to the first exception; then run the smoke again.'],
    confidence: 'certain',
    missing: ['the engine log of this minute'],
  }
}
