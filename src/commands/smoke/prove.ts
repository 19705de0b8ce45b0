import type { TargetTools } from '../../domain/command.ts'
import type { Evidence } from '../../domain/finding.ts'
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
  const view = liveView({ ask: tools.ask, target: target.name, request, stopLine: tools.stopLine, clock })
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
  return told(tools, withStopper(evidence, tools.stoppedBy()?.name ?? null))
}

async function told(tools: TargetTools, evidence: Evidence): Promise<Report> {
  const diagnosis = diagnose(evidence, tools.rules)
  const kept = await tools.memory.remember({
    target: tools.target.name,
    smoke: evidence.smoke ?? null,
    engine: evidence.engine ?? null,
    diagnosis,
  })
  return smokeReport({ ask: tools.ask, evidence, diagnosis, attempt: kept.ok ? kept.value : null })
}

function withStopper(evidence: Evidence, name: string | null): Evidence {
  if (name === null || evidence.smoke === undefined) return evidence
  return { ...evidence, smoke: { ...evidence.smoke, stoppedBy: name } }
}
