import type { Evidence } from '../../domain/finding.ts'
import type { Heard } from './heard.ts'
import { heardFromTeller } from './heard.ts'

/** A second look that somebody took, and whether it was well. */
export function recheckOf(evidence: Evidence): (Heard & { readonly isFine: boolean }) | null {
  const said = heardFromTeller(evidence, SECOND)
  if (said === null) return null
  const words = said.line.replace(/^[\w.]{1,60}: /, '')
  return { ...said, isFine: !BAD.test(words) && (/\d/.test(words) || GOOD.test(words)) }
}

const SECOND = /^(?:[\w.]{1,60}\.)?\w{0,20}(?:re-?check|re-?read|second_|next_|retry|again|resample|later)\w*: /i
const BAD =
  /ERR!|unknown error|\berror\b|\blost\b|\breset\b|\bsame\b|\bstill\b|\bagain\b|unchanged|N\/A|\bfail|timed? ?out|\bhangs?\b|\bhung\b|\bmissing\b/i
const GOOD = /\b(?:ok|fine|normal|healthy|recovered|gone|works?)\b/i
