import type { Diagnosis, Evidence } from '../../domain/finding.ts'
import type { Looked } from '../../domain/looked.ts'

/** The machine's view of a judged smoke, printed by --json. Field names are a contract (README). */
export function smokeJson({ smoke, engine, target }: Evidence, diagnosis: Diagnosis, looked: Looked | null): unknown {
  const completion = smoke?.completion ?? null
  return {
    target: target.name,
    verdict: diagnosis.verdict,
    code: diagnosis.code,
    findings: diagnosis.findings.map((finding) => ({
      code: finding.code,
      verdict: finding.verdict,
      cause: finding.cause,
      because: finding.because,
      remedy: finding.remedy,
      confidence: finding.confidence,
      unless: finding.unless ?? null,
      missing: finding.missing ?? [],
      against: finding.against ?? [],
      excludes: finding.excludes ?? [],
    })),
    completion:
      completion === null
        ? null
        : {
            reasoning: completion.reasoning,
            content: completion.content,
            tool_calls: completion.toolCalls,
            finish: completion.finish,
            stop: completion.stop,
            tokens: completion.tokens,
            budget: smoke?.request.budget ?? null,
          },
    timing: completion?.timing ?? {},
    failure: smoke?.failure ?? null,
    cut: smoke?.cut ?? null,
    engine: engine ?? null,
    looked,
  }
}
