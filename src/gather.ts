import type { Piece } from './domain/completion.ts'
import type { Answer, EngineInfo, Reach } from './domain/engine.ts'
import type { Failure } from './domain/failure.ts'
import type { Evidence } from './domain/finding.ts'
import type { Outcome } from './domain/outcome.ts'
import type { Loop, Smoke, SmokeRequest } from './domain/smoke.ts'
import type { Target } from './domain/target.ts'
import { loopWatch } from './judge/loop-watch.ts'

export interface SmokeRun {
  readonly target: Target
  readonly request: SmokeRequest
  /** aborted by a person or a shutdown; what had arrived is kept */
  readonly signal: AbortSignal
  reach(target: Target, signal: AbortSignal): Promise<Outcome<Reach>>
  onPiece(piece: Piece): void
}

type Watching = Pick<SmokeRun, 'target' | 'signal' | 'onPiece'>

/**
 * Runs one smoke and asks the engine about itself meanwhile. The stream is ended as soon as a channel certainly loops.
 * Whatever did not answer is left out: missing means not known.
 */
export async function gatherSmoke(run: SmokeRun): Promise<Evidence> {
  const { target } = run
  const about = { name: target.name, url: target.url, host: target.host }
  const reached = await run.reach(target, run.signal)
  if (!reached.ok) return { target: about, smoke: unreached(run.request, reached.failure) }
  const { engine, api, info } = reached.value
  const telling = engine.info(api, run.signal)
  const named = run.request.model ?? target.model ?? info.models?.[0] ?? null
  // only where nobody knows a name does the smoke wait for the server's list
  const model = named ?? firstModel(await telling)
  const [smoke, told] = await Promise.all([watched(run, reached.value, { ...run.request, model }), telling])
  const facts = told.ok ? told.value : partialInfo(info, told.partial)
  return facts === null ? { target: about, smoke } : { target: about, smoke, engine: facts }
}

function firstModel(told: Outcome<EngineInfo>): string | null {
  return (told.ok ? told.value.models[0] : told.partial?.models?.[0]) ?? null
}

/** One request as it is; its stream is ended as soon as a channel certainly loops. */
export async function watched(run: Watching, reach: Reach, request: SmokeRequest): Promise<Smoke> {
  const cutter = new AbortController()
  const watch = loopWatch(request.prompt)
  let cut: Loop | null = null
  const onPiece = (piece: Piece): void => {
    run.onPiece(piece)
    if (cut !== null) return
    cut = watch.feed(piece)
    if (cut !== null) cutter.abort()
  }
  const signal = AbortSignal.any([run.signal, cutter.signal])
  const answer = await reach.engine.complete(reach.api, request, { patienceMs: run.target.patienceMs, onPiece }, signal)
  return smokeOf(request, answer, cut)
}

function smokeOf(request: SmokeRequest, answer: Answer, cut: Loop | null): Smoke {
  const ours = cut !== null && answer.failure?.kind === 'stopped'
  return {
    request,
    completion: answer.completion,
    failure: ours ? null : answer.failure,
    cut,
    stoppedBy: null,
    exchange: answer.exchange,
  }
}

/** A request that never got to a server. */
export function unreached(request: SmokeRequest, failure: Failure): Smoke {
  return { request, completion: null, failure, cut: null, stoppedBy: null, exchange: null }
}

function partialInfo(seen: Partial<EngineInfo>, partial: Partial<EngineInfo> | undefined): EngineInfo | null {
  const known = { ...seen, ...partial }
  if (known.kind === undefined) return null
  return {
    kind: known.kind,
    version: known.version ?? null,
    models: known.models ?? [],
    loaded: known.loaded ?? null,
    context: known.context ?? null,
    reasoningParser: known.reasoningParser ?? null,
    tensorParallel: known.tensorParallel ?? null,
  }
}
