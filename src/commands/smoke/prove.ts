import type { Attempt } from '../../domain/attempt.ts'
import type { TargetTools, Tools } from '../../domain/command.ts'
import type { Piece } from '../../domain/completion.ts'
import { sentence } from '../../domain/failure.ts'
import type { Evidence } from '../../domain/finding.ts'
import { redactSmoke } from '../../domain/redact/smoke.ts'
import type { Report } from '../../domain/report.ts'
import type { SmokeRequest } from '../../domain/smoke.ts'
import type { Target } from '../../domain/target.ts'
import { gatherSmoke } from '../../gather.ts'
import { liveView } from './live.ts'
import type { OnLook, Proof } from './look.ts'
import { judged } from './look.ts'
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
  const onPiece = (piece: Piece): void => {
    view.add(piece)
    tools.progress(view.now())
  }
  const onLook: OnLook = (done, all) => {
    view.look(done, all)
    tools.progress(view.now())
  }
  const proof = await prove(tools, target, request, onPiece, onLook).finally(quiet)
  tools.release()
  return smokeReport({ ask: tools.ask, ...(await kept(tools, proof)) })
}

/** A judged smoke, and its attempt; null and the reason where it could not be kept. */
export interface KeptProof extends Proof {
  readonly attempt: Attempt | null
  readonly notKept: string | null
}

/** Runs one smoke and judges it, with a look around where it is not healthy. */
export async function prove(
  tools: Tools,
  target: Target,
  request: SmokeRequest,
  onPiece: (piece: Piece) => void,
  onLook: OnLook = () => {},
): Promise<Proof> {
  const { signal, reach } = tools
  const evidence = settled(await gatherSmoke({ target, request, signal, reach, onPiece }), tools)
  return judged(evidence, target, tools, onLook)
}

/** Remembers a judged smoke. */
export async function kept(tools: Tools, proof: Proof): Promise<KeptProof> {
  const { evidence, diagnosis } = proof
  const { target, smoke = null, engine = null } = evidence
  const added = await tools.memory.remember({ target: target.name, smoke, engine, diagnosis })
  return added.ok
    ? { ...proof, attempt: added.value, notKept: null }
    : { ...proof, attempt: null, notKept: sentence(added.failure) }
}

/** Without secrets, and with the name of the person who stopped it; a stop that came too late stopped nothing. */
function settled(evidence: Evidence, tools: Tools): Evidence {
  if (evidence.smoke === undefined) return evidence
  const smoke = redactSmoke(evidence.smoke, tools.redact)
  const stoppedBy = smoke.failure?.kind === 'stopped' ? (tools.stoppedBy()?.name ?? null) : null
  return { ...evidence, smoke: { ...smoke, stoppedBy } }
}
