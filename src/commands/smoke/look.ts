import type { Tools } from '../../domain/command.ts'
import type { Diagnosis, Evidence } from '../../domain/finding.ts'
import type { Looked } from '../../domain/looked.ts'
import type { Smoke } from '../../domain/smoke.ts'
import type { Target } from '../../domain/target.ts'
import { exitStatus } from '../../domain/verdict.ts'
import { lookAround } from '../../gather/look.ts'
import { diagnose } from '../../judge/diagnose.ts'

/** A judged smoke, and what was looked at beside it; null where nothing had to be. */
export interface Proof {
  readonly evidence: Evidence
  readonly diagnosis: Diagnosis
  readonly looked: Looked | null
}

/** How many things on the host have been looked at. */
export type OnLook = (done: number, all: number) => void

/** Judges, and looks around first where that may explain a failure. */
export async function judged(evidence: Evidence, target: Target, tools: Tools, onLook: OnLook): Promise<Proof> {
  const diagnosis = diagnose(evidence, tools.rules)
  return needsLook(evidence.smoke, diagnosis)
    ? lookedAt({ evidence, diagnosis }, target, tools, onLook)
    : { evidence, diagnosis, looked: null }
}

/** A healthy answer must not wait, and neither must one that somebody stopped or asked for wrongly. */
function needsLook(smoke: Smoke | undefined, { verdict }: Diagnosis): boolean {
  return !isFine({ verdict }) && verdict !== 'client-error' && smoke?.failure?.kind !== 'stopped'
}

function isFine({ verdict }: Pick<Diagnosis, 'verdict'>): boolean {
  return exitStatus(verdict) === 0
}

/** The same with all that host and server tell now. A good answer stays one, whatever happened on its host since. */
export async function lookedAt(
  { evidence, diagnosis }: Omit<Proof, 'looked'>,
  target: Target,
  tools: Tools,
  onLook: OnLook,
): Promise<Proof> {
  const { facts, looked } = await lookAround({
    target,
    host: target.host === null ? null : tools.host(target.host),
    signal: tools.signal,
    after: tools.every,
    answers: evidence.smoke?.exchange?.status != null,
    reach: tools.reach,
    redact: tools.redact,
    onProgress: onLook,
  })
  const all = { ...evidence, ...facts }
  if (isFine(diagnosis)) return { evidence: all, diagnosis, looked }
  const again = diagnose(all, tools.rules)
  // a quiet host makes no failed smoke a good one
  return { evidence: all, diagnosis: isFine(again) ? diagnosis : again, looked }
}
