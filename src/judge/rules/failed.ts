import type { Code } from '../../domain/code.ts'
import type { Failure, FailureKind } from '../../domain/failure.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import type { Smoke } from '../../domain/smoke.ts'
import type { Verdict } from '../../domain/verdict.ts'
import { quotedEnd, saidOf } from '../answer.ts'
import { bodyOf, complaintOf, isCutJson, isMangled } from '../refusal.ts'

/** No whole answer came. The failure has its own words; this rule says what it means for the target. */
export const failed: Rule = {
  codes: [
    'server.unreachable',
    'ssh.unreachable',
    'ssh.hostkey',
    'ssh.auth',
    'ssh.key',
    'ssh.forward',
    'request.route',
    'engine.hang',
    'engine.invariant',
    'stream.stalled',
    'stream.ended-without-finish',
    'transport.truncated',
    'transport.empty-body',
    'log.need-more',
  ],
  check(evidence) {
    const { smoke } = evidence
    const failure = smoke?.failure ?? null
    if (smoke === undefined || failure === null || complaintOf(smoke) !== null) return []
    if (isMangled(smoke) || isWanted(smoke, failure)) return []
    if (isCutJson(smoke)) return [cutJson(failure, bodyOf(smoke))]
    const meaning = MEANING[failure.kind]
    if (meaning === null) return []
    const { code, verdict, unless } = meaning
    const finding: Finding = {
      code: code === 'ssh.unreachable' && !isOfHost(evidence, failure) ? 'server.unreachable' : code,
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

/** The same kinds of failure happen on the way to the host and, through its tunnel, on the way to the server. */
function isOfHost({ target }: Evidence, { thing }: Failure): boolean {
  return target.host !== null && thing.includes(`host ${target.host}`)
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
  if (completion == null) return []
  const { pieces, reasoning, content } = completion
  return [`${counted(pieces, 'piece')} had arrived`, saidOf('reasoning', reasoning), saidOf('content', content)]
}

interface Meaning {
  readonly code: Code
  readonly verdict: Verdict
  readonly unless?: string
}

const HOST: Meaning = { code: 'ssh.unreachable', verdict: 'unreachable' }
const SERVER: Meaning = { code: 'server.unreachable', verdict: 'unreachable' }
const HOST_KEY: Meaning = { code: 'ssh.hostkey', verdict: 'unreachable' }
const OUR_KEY: Meaning = { code: 'ssh.key', verdict: 'misconfigured' }
const ROUTE: Meaning = { code: 'request.route', verdict: 'client-error' }
const OURSELVES: Meaning = { code: 'log.need-more', verdict: 'inconclusive' }
const CUT: Meaning = { code: 'transport.truncated', verdict: 'inconclusive' }
const SILENT: Meaning = {
  code: 'engine.hang',
  verdict: 'inconclusive',
  unless:
    'it is only full or reads a very long prompt: its queue and running requests (metrics) and its log tell; look there before a restart.',
}

/** What each kind of failure means; null where another rule knows more (refused, stranger). */
const MEANING: Readonly<Record<FailureKind, Meaning | null>> = {
  // The server's where it is not the host that failed, see isOfHost.
  dns: HOST,
  refused: HOST,
  'connect-timeout': HOST,
  reset: HOST,
  lost: HOST,
  'not-ssh': HOST,
  banned: HOST,
  kex: HOST,
  'hostkey-unknown': HOST_KEY,
  'hostkey-changed': HOST_KEY,
  'hostkey-revoked': HOST_KEY,
  'hostkey-file': HOST_KEY,
  'ssh-auth': { code: 'ssh.auth', verdict: 'unreachable' },
  'key-missing': OUR_KEY,
  'key-permissions': OUR_KEY,
  'key-format': OUR_KEY,
  'key-passphrase': OUR_KEY,
  agent: OUR_KEY,
  'forward-prohibited': { code: 'ssh.forward', verdict: 'misconfigured' },
  'forward-refused': SERVER,
  url: ROUTE,
  tls: SERVER,
  'not-http': SERVER,
  'http-status': null,
  redirect: ROUTE,
  'content-encoding': CUT,
  'headers-timeout': SILENT,
  stalled: {
    code: 'stream.stalled',
    verdict: 'inconclusive',
    unless:
      'it was only full, or a proxy held the stream back: queue, running requests and the engine log tell; look there before a restart.',
  },
  deadline: SILENT,
  cut: CUT,
  'too-large': CUT,
  'empty-body': { code: 'transport.empty-body', verdict: 'inconclusive' },
  'not-json': null,
  'not-stream': null,
  shape: null,
  'stream-error': { code: 'engine.invariant', verdict: 'broken' },
  'ended-early': { code: 'stream.ended-without-finish', verdict: 'broken' },
  stopped: OURSELVES,
  busy: OURSELVES,
  store: OURSELVES,
  config: OURSELVES,
  bug: OURSELVES,
}
