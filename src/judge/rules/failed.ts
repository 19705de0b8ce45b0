import type { Failure, FailureKind } from '../../domain/failure.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import type { Smoke } from '../../domain/smoke.ts'
import { quotedEnd, saidOf } from '../answer.ts'
import { CUT, MEANING, SERVER } from '../meaning.ts'
import { bodyOf, complaintOf, isCutJson, isMangled } from '../refusal.ts'

/** No whole answer came. The failure has its own words; this rule says what it means for the target. */
export const failed: Rule = {
  codes: [...new Set(Object.values(MEANING).flatMap((meaning) => meaning?.code ?? []))],
  check(evidence) {
    const { smoke } = evidence
    const failure = smoke?.failure ?? null
    if (smoke === undefined || failure === null || complaintOf(smoke) !== null) return []
    if (isMangled(smoke) || isWanted(smoke, failure)) return []
    if (isCutJson(smoke)) return [cutJson(failure, bodyOf(smoke))]
    const meaning = MEANING[failure.kind]
    if (meaning === null) return []
    const { code, verdict, unless } = isOfServer(evidence, failure) ? SERVER : meaning
    const finding: Finding = {
      code,
      verdict,
      cause: `${failure.thing}: ${failure.observed}.`,
      because: arrived(evidence),
      remedy: [failure.next],
      confidence: unless === undefined ? 'certain' : 'likely',
      ...(unless === undefined ? {} : { unless }),
    }
    return [finding]
  },
}

/** These kinds of failure happen on the way to the host and, through its tunnel, on the way to the server. */
const OF_ANY_WAY: ReadonlySet<FailureKind> = new Set([
  'dns',
  'refused',
  'connect-timeout',
  'reset',
  'lost',
  'keepalive',
])

function isOfServer({ target }: Evidence, { kind, thing }: Failure): boolean {
  return OF_ANY_WAY.has(kind) && !(target.host !== null && thing.includes(`host ${target.host}`))
}

/** A person, or our own cut of a loop, ended it. */
function isWanted({ stoppedBy, cut }: Smoke, { kind }: Failure): boolean {
  return kind === 'stopped' && (stoppedBy !== null || cut !== null)
}

function cutJson({ thing }: Failure, body: string): Finding {
  return {
    ...CUT,
    cause: `${thing}: the answer ends in the middle of its JSON.`,
    because: [`${counted(body.length, 'character')} came; they end with ${quotedEnd(body)}`],
    remedy: [
      'Repeat once. If it is cut again, ask the engine directly, past any gateway, and read the engine log of this minute.',
    ],
    confidence: 'certain',
  }
}

function arrived({ smoke }: Evidence): string[] {
  const completion = smoke?.completion
  if (completion == null) return noAnswerIn(smoke?.exchange?.status ?? null)
  const { pieces, reasoning, content } = completion
  return [`${counted(pieces, 'piece')} had arrived`, saidOf('reasoning', reasoning), saidOf('content', content)]
}

/** Where nothing was exchanged, the cause says all there is; a status of 0 is that of no head. */
function noAnswerIn(status: number | null): string[] {
  if (status === null) return []
  return [status === 0 ? 'no HTTP status came' : `HTTP ${status} came, and no answer in it`]
}
