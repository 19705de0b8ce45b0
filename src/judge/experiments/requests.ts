import type { Code } from '../../domain/code.ts'
import type { ModelRequest, Puzzle, Trial } from '../../domain/experiment.ts'
import type { FailureKind } from '../../domain/failure.ts'
import type { Evidence } from '../../domain/finding.ts'
import type { Smoke, SmokeRequest } from '../../domain/smoke.ts'
import { DEFAULT_BUDGET } from '../../domain/smoke.ts'

/** The smoke to be explained, where its server answers requests at all; null: no further one would tell anything. */
export function answeredSmoke({ evidence }: Puzzle): Smoke | null {
  const { smoke } = evidence
  if (smoke === undefined) return null
  const { completion, failure } = smoke
  if (failure !== null && !IN_ANSWER.has(failure.kind)) return null
  return completion === null && failure === null ? null : smoke
}

/** An answer by itself, without what is known of its server. */
export function aloneIn({ target, smoke }: Evidence): Evidence {
  return smoke === undefined ? { target } : { target, smoke }
}

/** Failures of one answer, not of the way to the server. */
const IN_ANSWER: ReadonlySet<FailureKind> = new Set([
  'headers-timeout',
  'stalled',
  'deadline',
  'cut',
  'too-large',
  'empty-body',
  'not-json',
  'not-stream',
  'stream-error',
  'ended-early',
  'stopped',
])

/** The same request again, with what is changed. */
export function again(request: SmokeRequest, change: Partial<SmokeRequest> = {}): ModelRequest {
  return { how: 'chat', request: { ...request, budget: budgetOf(request), ...change } }
}

/** As many times, one after another. */
export function repeated(times: number, asked: ModelRequest): Trial {
  return { requests: Array.from({ length: times }, () => asked), parallel: 1 }
}

export function budgetOf({ budget }: SmokeRequest): number {
  return Number.isFinite(budget) ? budget : DEFAULT_BUDGET
}

/** Whether one of the findings is among these. */
export function isAbout(puzzle: Puzzle, codes: readonly Code[]): boolean {
  return found(puzzle, codes).length > 0
}

/** Those of the codes that are findings. */
export function found({ diagnosis, alone }: Puzzle, codes: readonly Code[]): readonly Code[] {
  const known = new Set([...diagnosis.findings, ...alone.findings].map(({ code }) => code))
  return codes.filter((code) => known.has(code))
}

/** Those of one list that are not in another. */
export function without(codes: readonly Code[], others: readonly Code[]): readonly Code[] {
  return codes.filter((code) => !others.includes(code))
}

/** Those of one list that are in another as well. */
export function both(codes: readonly Code[], others: readonly Code[]): readonly Code[] {
  return codes.filter((code) => others.includes(code))
}
