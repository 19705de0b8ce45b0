import type { Piece } from '../domain/completion.ts'
import type { EngineInfo, Reach } from '../domain/engine.ts'
import type { TrialRequest, TrialRun } from '../domain/experiment.ts'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { SmokeRequest } from '../domain/smoke.ts'
import type { Target } from '../domain/target.ts'
import { unreached, watched } from '../gather.ts'
import { freeRun } from './free-run.ts'

interface Trying {
  readonly target: Target
  readonly asked: TrialRequest
  /** aborted by a person or a shutdown; what had arrived is kept */
  readonly signal: AbortSignal
  reach(target: Target, signal: AbortSignal): Promise<Outcome<Reach>>
  onPiece(piece: Piece): void
}

/** What one request of an experiment brought, not yet judged. */
type Tried = Omit<TrialRun, 'diagnosis'>

/** Runs one request of an experiment, as a smoke or past template and parsers. Never throws for what the field does. */
export async function gatherTrial(run: Trying): Promise<Tried> {
  const { asked, target, signal } = run
  const reached = await run.reach(target, signal)
  if (!reached.ok) return { asked, smoke: unreached(asked.request, reached.failure) }
  const model = await modelFor(run, reached.value)
  const request: SmokeRequest = { ...asked.request, model }
  const about = { ...run, request }
  switch (asked.how) {
    case 'chat':
      return { asked, smoke: await watched(about, reached.value, request) }
    case 'raw':
      return rawRun(about, reached.value, request)
    case 'parse':
    case 'count':
    case 'spell':
      return freeRun({ asked, target, request, reach: reached.value, signal })
  }
}

async function modelFor({ asked, target, signal }: Trying, { engine, api, info }: Reach): Promise<string | null> {
  const named = asked.request.model ?? target.model ?? info.models?.[0] ?? null
  if (named !== null) return named
  const told: Outcome<EngineInfo> = await engine.info(api, signal)
  return told.ok ? (told.value.models[0] ?? null) : null
}

async function rawRun({ asked, target, signal, onPiece }: Trying, reach: Reach, request: SmokeRequest): Promise<Tried> {
  const { engine, api } = reach
  if (engine.raw === undefined) return { asked, smoke: unreached(request, noRaw(target, engine.kind)) }
  const answer = await engine.raw(api, request, { patienceMs: target.patienceMs, onPiece }, signal)
  const { completion, failure, exchange, templated } = answer
  return { asked, smoke: { request, completion, failure, exchange, cut: null, stoppedBy: null }, templated }
}

function noRaw({ url }: Target, kind: string): Failure {
  return {
    kind: 'not-there',
    thing: `server ${url}`,
    observed: `a server of kind ${kind} has no way past its template`,
    next: 'compare with the other experiments',
  }
}
