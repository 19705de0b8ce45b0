import type { Code } from '../../src/domain/code.ts'
import { isFault } from '../../src/domain/code.ts'
import type { Channel } from '../../src/domain/completion.ts'
import type { Evidence } from '../../src/domain/finding.ts'
import type { Loop } from '../../src/domain/smoke.ts'
import type { Verdict } from '../../src/domain/verdict.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { scanText } from '../../src/judge/log/scan.ts'
import { loopWatch } from '../../src/judge/loop-watch.ts'
import { rules, signatures } from '../../src/judge/rules/index.ts'
import { completionOf, requestOf, tokens, withSmoke } from '../../test/judge/samples.ts'
import type { Text } from './collect.ts'

/** What our own say of a harmless text. */
export interface Judged {
  readonly text: Text
  /** the loop for which its stream would have been ended */
  readonly cut: Loop | null
  readonly verdict: Verdict
  readonly code: Code
  /** faults that are named, in whatever place and however surely */
  readonly marks: readonly Code[]
}

/** How a text came: as the answer, as the thinking before one, or as an answer that its budget ended. */
export type Way = 'content' | 'reasoning' | 'cut short'

/** Every text is judged in one of them, in turn. */
export const WAYS: readonly Way[] = ['content', 'reasoning', 'content', 'cut short']

/** Characters that come at once, about a token. */
const PIECE = 4
/** Verdicts that say that something is wrong with a server. */
const FAULTS: ReadonlySet<Verdict> = new Set(['broken', 'misconfigured', 'degraded', 'hardware-fault', 'unreachable'])

export function isAccused({ verdict }: Judged): boolean {
  return FAULTS.has(verdict)
}

export function judgeAnswer(text: Text, way: Way): Judged {
  const channel = way === 'reasoning' ? 'reasoning' : 'content'
  return { text, cut: cutIn(text, channel), ...said(answered(text, way), way === 'cut short' ? CUT_SHORT : NOTHING) }
}

export function judgeLog(text: Text): Judged {
  const log = scanText(text.text, signatures)
  return { text, cut: null, ...said({ target: { name: 'log', url: '', host: null }, log }, UNKNOWN) }
}

/** What is true of a text: its budget did end it, or a log tells no more than that. */
const NOTHING: ReadonlySet<Code> = new Set()
const CUT_SHORT: ReadonlySet<Code> = new Set(['budget.too-small'])
const UNKNOWN: ReadonlySet<Code> = new Set(['log.need-more', 'state.loading', 'state.up-unverified'])

function cutIn({ prompt, text }: Text, channel: Channel): Loop | null {
  const watch = loopWatch(prompt)
  for (let at = 0; at < text.length; at += PIECE) {
    const loop = watch.feed({ channel, text: text.slice(at, at + PIECE) })
    if (loop !== null) return loop
  }
  return null
}

function answered({ prompt, text }: Text, way: Way): Evidence {
  const used = Math.ceil(text.length / PIECE)
  const isCut = way === 'cut short'
  return withSmoke({
    request: requestOf({ prompt, temperature: null, budget: isCut ? used : 2 * used }),
    completion: completionOf({
      ...(way === 'reasoning' ? { reasoning: text, content: 'Here it is.' } : { content: text }),
      finish: isCut ? 'length' : 'stop',
      stop: null,
      tokens: tokens(used),
      pieces: used,
    }),
  })
}

function said(evidence: Evidence, isTrue: ReadonlySet<Code>): Pick<Judged, 'verdict' | 'code' | 'marks'> {
  const { verdict, code, findings } = diagnose(evidence, rules)
  const faults = findings.map((finding) => finding.code).filter((named) => isFault(named) && !isTrue.has(named))
  return { verdict, code, marks: faults }
}
