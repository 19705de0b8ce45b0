import type { HostExam } from './exam.ts'

/** A host for --json. `checks`: worst first. */
export function examJson({ host, state, failure, lines, findings }: HostExam) {
  return {
    host,
    state,
    failure: failure === null ? null : { kind: failure.kind, observed: failure.observed, next: failure.next },
    checks: lines.map(({ check, state: of, said, findings: [first] }) => ({
      check,
      state: of,
      said,
      code: first?.code ?? null,
    })),
    findings: findings.map(({ code, verdict, cause, because, remedy, confidence }) => ({
      code,
      verdict,
      cause,
      because,
      remedy,
      confidence,
    })),
  }
}
