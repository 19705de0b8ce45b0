import type { Evidence } from '../../domain/finding.ts'
import type { SamplingSettings } from '../../domain/smoke.ts'
import { samplingOf } from '../../knowledge/index.ts'
import { servedOf } from '../served.ts'

/** How the maker of the model wants it asked; null where nobody knows. */
export function advisedSampling(evidence: Evidence): SamplingSettings | null {
  const advised = samplingOf(servedOf(evidence)?.family ?? null)
  const mode = evidence.smoke?.request.thinking === false ? 'non-thinking' : 'thinking'
  const found = advised.find((one) => one.mode === mode) ?? advised[0]
  if (found === undefined) return null
  const { temperature, topP, topK, minP, presencePenalty } = found
  return { temperature, topP, topK, minP, presencePenalty }
}
