import type { Gpu } from '../../domain/gpu.ts'
import type { Lock } from '../../domain/lock.ts'
import { GAPS } from './cells.ts'
import type { CardStanding, HostStanding } from './standing.ts'

/** A host for --json. null: not known; what the tool does not report stands under `gaps` with the reason. */
export function hostJson(
  { host, state, failure, finding, cards, targets }: HostStanding,
  locks: readonly Lock[] | null,
) {
  return {
    host,
    state,
    code: finding?.code ?? null,
    verdict: finding?.verdict ?? null,
    cause: finding?.cause ?? null,
    remedy: finding?.remedy ?? [],
    failure: failure === null ? null : { kind: failure.kind, observed: failure.observed, next: failure.next },
    targets,
    locks: locks === null ? null : locks.filter(({ on }) => on.name === host).map(lockJson),
    cards: cards.map(cardJson),
  }
}

function lockJson({ owner, reason, at, operation }: Lock) {
  return { owner: owner.id, reason, at, operation }
}

function cardJson({ gpu, state, finding, living }: CardStanding) {
  const { gaps, others: _, ...readings } = gpu
  return { ...readings, state, code: finding?.code ?? null, ...living, gaps: gapsOf({ gaps }) }
}

function gapsOf({ gaps }: Pick<Gpu, 'gaps'>): Readonly<Record<string, string>> {
  return Object.fromEntries(gaps.map(({ field, why }) => [field, GAPS[why]]))
}
