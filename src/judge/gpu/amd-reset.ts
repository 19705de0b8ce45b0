import type { Evidence } from '../../domain/finding.ts'
import type { Heard } from './heard.ts'
import { quotedLine } from './heard.ts'

/** A job that hung on an AMD card, by the kernel: the driver resets the ring, or the whole card, and says how that went. */
const HUNG =
  /amdgpu.*(?:ring \S+ timeout|GPU reset(?:\(\d+\))? (?:begin|failed)|GPU (?:page )?fault detected)|\[drm:.*\*ERROR\* (?:ring \S+ timeout|Waiting for fences timed out)/i
const BACK =
  /amdgpu.*(?:ring \S+ reset succeeded|GPU reset(?:\(\d+\))? succeeded|wedged, but recovered|recovered through reset)/i

/** The first line of a hang after which the card did not come back; null where none stands so. */
export function stillHung({ kernel = [] }: Evidence): Heard | null {
  const back = kernel.findLastIndex((line) => BACK.test(line))
  const at = kernel.findIndex((line, index) => index > back && HUNG.test(line))
  return lineAt(kernel, at)
}

/** A hang that the card got over, with the line that says so. */
export interface Recovery {
  readonly hung: Heard
  readonly back: Heard
  /** how often it hung */
  readonly times: number
}

/** Null where no card hung, or one still does. */
export function recovered(evidence: Evidence): Recovery | null {
  const { kernel = [] } = evidence
  const [hung, back] = [kernel.findIndex((line) => HUNG.test(line)), kernel.findLastIndex((line) => BACK.test(line))]
  const [first, last] = [lineAt(kernel, hung), lineAt(kernel, back)]
  if (first === null || last === null || hung > back || stillHung(evidence) !== null) return null
  return { hung: first, back: last, times: kernel.filter((line) => /ring \S+ timeout/i.test(line)).length }
}

function lineAt(kernel: readonly string[], at: number): Heard | null {
  const line = kernel[at]
  return line === undefined ? null : { line, quote: quotedLine('kernel', line), at: at + 1 }
}
