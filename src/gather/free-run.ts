import type { Reach } from '../domain/engine.ts'
import type { FreeRequest, TrialRun } from '../domain/experiment.ts'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { SmokeRequest } from '../domain/smoke.ts'
import type { Target } from '../domain/target.ts'
import { unreached } from '../gather.ts'

interface Asked {
  readonly asked: FreeRequest
  readonly target: Target
  /** with the name of the model */
  readonly request: SmokeRequest
  readonly reach: Reach
  readonly signal: AbortSignal
}

type Told = Pick<TrialRun, 'parsed' | 'counted' | 'spelled'>

/** One request that its server answers without the model. */
export async function freeRun(run: Asked): Promise<Omit<TrialRun, 'diagnosis'>> {
  const { asked, request, target, reach } = run
  const told = (await ask(run)) ?? failed<Told>(noRoute(target, reach.engine.kind))
  if (!told.ok) return { asked, smoke: unreached(request, told.failure) }
  const smoke = { request, completion: null, failure: null, exchange: null, cut: null, stoppedBy: null }
  return { asked, smoke, ...told.value }
}

/** Null where that engine has no such route. */
async function ask({ asked, request, reach: { engine, api }, signal }: Asked): Promise<Outcome<Told> | null> {
  switch (asked.how) {
    case 'parse':
      return as(await engine.parse?.(api, asked, signal), (parsed) => ({ parsed }))
    case 'count':
      return as(await engine.count?.(api, request, signal), (counted) => ({ counted }))
    case 'spell': {
      const { token } = asked
      return as(await engine.spell?.(api, { token, model: request.model }, signal), (spelled) => ({ spelled }))
    }
  }
}

function as<T>(told: Outcome<T> | undefined, field: (value: T) => Told): Outcome<Told> | null {
  if (told === undefined) return null
  return told.ok ? ok(field(told.value)) : failed(told.failure)
}

function noRoute({ url }: Target, kind: string): Failure {
  return {
    kind: 'not-there',
    thing: `server ${url}`,
    observed: `a server of kind ${kind} has no such route`,
    next: 'compare with the other experiments',
  }
}
