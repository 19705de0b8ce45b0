import type { Evidence } from '../domain/finding.ts'
import { count } from '../domain/report.ts'
import type { Loop, Smoke } from '../domain/smoke.ts'
import { endedAnswer, isBlank, isSilent, quoted, quotedEnd } from './answer.ts'
import { isCaughtGreedily, isOfGrammar } from './loop-kinds.ts'
import { findLoop, hasLeft } from './loops.ts'
import { judgedText, nonsenseIn, oddities } from './nonsense.ts'
import { isTalk } from './turns.ts'

/** How an answer shows that something computes wrongly. What it is, the answer alone does not tell. */
export interface Symptom {
  /** the evidence, in words */
  readonly seen: string
  /** weak: only together with a known suspect · subtle: single letters are wrong, the rest is sound */
  readonly weight: 'strong' | 'weak' | 'subtle'
  /** whether each token came twice */
  readonly isDoubled: boolean
}

/** Null where the answer may well be what the model has to say. */
export function symptomOf(evidence: Evidence): Symptom | null {
  const { smoke } = evidence
  if (smoke === undefined) return null
  return loopIn(smoke) ?? nonsense(evidence) ?? atOnce(evidence)
}

function loopIn(smoke: Smoke): Symptom | null {
  const loop = findLoop(smoke)
  if (loop === null || hasLeft(smoke, loop)) return null
  const text = smoke.completion?.[loop.channel] ?? ''
  if (isOfGrammar(smoke, loop, text) || isCaughtGreedily(smoke, loop, text)) return null
  if (loop.signal === 'recurring' && !isTalk(text)) return null
  return { seen: seenOf(loop), weight: 'strong', isDoubled: false }
}

function seenOf({ channel, unit, copies, signal }: Loop): string {
  if (signal === 'recurring') return `the ${channel} goes round in circles`
  return `the ${channel} repeats ${isBlank(unit) ? 'white space' : quoted(unit)} × ${count(copies)}`
}

function nonsense(evidence: Evidence): Symptom | null {
  const answer = endedAnswer(evidence)
  if (answer === null) return null
  const text = judgedText(answer.completion)
  const found = nonsenseIn(text, answer.request.prompt)
  if (found?.isSure === true) {
    const weight = found.isSubtle ? 'subtle' : 'strong'
    const seen = /“/.test(found.seen) ? found.seen : `${found.seen}; it ends with ${quotedEnd(text)}`
    return { seen, weight, isDoubled: / stand there twice, /.test(found.seen) }
  }
  const seen = found?.seen ?? oddities(text, answer.request.prompt)
  return seen === null ? null : { seen, weight: 'weak', isDoubled: false }
}

const AT_ONCE = 3

function atOnce(evidence: Evidence): Symptom | null {
  const answer = endedAnswer(evidence)
  if (answer === null || !isSilent(answer.completion) || answer.completion.finish !== 'stop') return null
  const used = answer.completion.tokens.completion
  if (used === null || used > AT_ONCE || typeof answer.completion.stop === 'string') return null
  return {
    seen: `the answer ended after ${used === 1 ? 'one token' : `${used} tokens`} without any text`,
    weight: 'strong',
    isDoubled: false,
  }
}
