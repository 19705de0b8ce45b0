import type { Evidence } from '../../domain/finding.ts'
import type { Heard } from './heard.ts'
import { isOfAmd, quotedLine } from './heard.ts'

/**
 * A job that hung on an AMD card, by the kernel: a ring or a fence ran out of time. A reset alone is none: somebody may
 * have asked for it, or a sleep; and a fault of an address (“GPU fault detected”, “page fault”) is a program's own.
 */
const HUNG = /ring \S{1,80} timeout|Waiting for fences timed out|fence wait (?:loop )?timeout/i
/** A reset that somebody asked for and that failed leaves the card as a hang does. */
const FAILED = /GPU reset(?:\(\d{1,9}\))? failed|GPU reset end with ret = -/i
const BACK =
  /ring \S{1,80} reset succeeded|timeout, but soft recovered|GPU reset(?:\(\d{1,9}\))? succeeded|wedged, but recovered|recovered through reset/i

/** The first line of a hang after which the card did not come back; null where none stands so. */
export function stillHung({ kernel = [] }: Evidence): Heard | null {
  const back = kernel.findLastIndex((line) => isOfAmd(line, BACK))
  const at = kernel.findIndex((line, index) => index > back && (isOfAmd(line, HUNG) || isOfAmd(line, FAILED)))
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
  const hung = kernel.findIndex((line) => isOfAmd(line, HUNG))
  const back = kernel.findLastIndex((line) => isOfAmd(line, BACK))
  const [first, last] = [lineAt(kernel, hung), lineAt(kernel, back)]
  if (first === null || last === null || hung > back || stillHung(evidence) !== null) return null
  return { hung: first, back: last, times: kernel.filter((line) => isOfAmd(line, HUNG)).length }
}

function lineAt(kernel: readonly string[], at: number): Heard | null {
  const line = kernel[at]
  return line === undefined ? null : { line, quote: quotedLine('kernel', line), at: at + 1 }
}
