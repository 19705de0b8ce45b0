import type { TargetTools } from '../../domain/command.ts'
import { sentence } from '../../domain/failure.ts'
import type { Evidence } from '../../domain/finding.ts'
import { redactSmoke } from '../../domain/redact-smoke.ts'
import type { Report } from '../../domain/report.ts'
import type { SmokeRequest } from '../../domain/smoke.ts'
import { gatherSmoke } from '../../gather.ts'
import { diagnose } from '../../judge/diagnose.ts'
import { liveView } from './live.ts'
import { smokeReport } from './report.ts'

/** How often the live message is brought up to date where nothing arrives, in ms. */
const HEARTBEAT_MS = 1000

/** Runs one smoke with its live message, judges it, remembers it, and says all of it in a report. */
export async function proveModel(tools: TargetTools, request: SmokeRequest): Promise<Report> {
  const { target, clock } = tools
  const shown = { ...request, prompt: tools.redact(request.prompt) }
  const view = liveView({ ask: tools.ask, target: target.name, request: shown, stopLine: tools.stopLine, clock })
  tools.progress(view.now())
  const quiet = tools.every(HEARTBEAT_MS, () => tools.progress(view.now()))
  const evidence = await gatherSmoke({
    target,
    request,
    signal: tools.signal,
    reach: tools.reach,
    onPiece(piece) {
      view.add(piece)
      tools.progress(view.now())
    },
  }).finally(quiet)
  tools.release()
  return told(tools, settled(evidence, tools))
}

async function told(tools: TargetTools, evidence: Evidence): Promise<Report> {
  const diagnosis = diagnose(evidence, tools.rules)
  const kept = await tools.memory.remember({
    target: tools.target.name,
    smoke: evidence.smoke ?? null,
    engine: evidence.engine ?? null,
    diagnosis,
  })
  const judged = { ask: tools.ask, evidence, diagnosis }
  return kept.ok
    ? smokeReport({ ...judged, attempt: kept.value, notKept: null })
    : smokeReport({ ...judged, attempt: null, notKept: sentence(kept.failure) })
}

/** Without secrets, and with the name of the person who stopped it; a stop that came too late stopped nothing. */
function settled(evidence: Evidence, tools: TargetTools): Evidence {
  if (evidence.smoke === undefined) return evidence
  const smoke = redactSmoke(evidence.smoke, tools.redact)
  const stoppedBy = smoke.failure?.kind === 'stopped' ? (tools.stoppedBy()?.name ?? null) : null
  return { ...evidence, smoke: { ...smoke, stoppedBy } }
}
