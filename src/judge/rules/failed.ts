import type { Code } from '../../domain/code.ts'
import type { Failure, FailureKind } from '../../domain/failure.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Smoke } from '../../domain/smoke.ts'
import type { Verdict } from '../../domain/verdict.ts'
import { saidOf } from '../answer.ts'
import { complaintOf, isMangled } from '../refusal.ts'

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
    'proxy.backend-down',
    'log.need-more',
  ],
  check(evidence) {
    const { smoke } = evidence
    const failure = smoke?.failure ?? null
    if (smoke === undefined || failure === null || complaintOf(smoke) !== null) return []
    if (isMangled(smoke) || isWanted(smoke, failure)) return []
    const meaning = isCutJson(smoke) ? CUT : MEANING[failure.kind]
    if (meaning === null) return []
    const { code, verdict, unless } = meaning
    const finding: Finding = {
      code: code === 'ssh.unreachable' && !isOfHost(evidence, failure) ? 'server.unreachable' : code,
      verdict,
      cause: `${failure.thing}: ${failure.observed}.`,
      because: [failure.observed, ...arrived(evidence)],
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

/** JSON that ends in its middle. */
function isCutJson({ failure, exchange }: Smoke): boolean {
  return failure?.kind === 'not-json' && /^\s*[[{]/.test(exchange?.response ?? '')
}

function arrived({ smoke }: Evidence): string[] {
  const completion = smoke?.completion
  if (completion == null) return []
  const { pieces, reasoning, content } = completion
  return [`${pieces} pieces had arrived`, saidOf('reasoning', reasoning), saidOf('content', content)]
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
const FOREIGN: Meaning = {
  code: 'proxy.backend-down',
  verdict: 'unreachable',
  unless: 'the URL leads to another program: see what listens there.',
}
const SILENT: Meaning = {
  code: 'engine.hang',
  verdict: 'inconclusive',
  unless:
    'it is only full or reads a very long prompt: its queue and running requests (metrics) and its log tell; look there before a restart.',
}

/** What each kind of failure means; null where another rule knows more (refused, healthy). */
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
  'not-json': FOREIGN,
  'not-stream': FOREIGN,
  shape: OURSELVES,
  'stream-error': { code: 'engine.invariant', verdict: 'broken' },
  'ended-early': { code: 'stream.ended-without-finish', verdict: 'broken' },
  stopped: OURSELVES,
  busy: OURSELVES,
  store: OURSELVES,
  config: OURSELVES,
  bug: OURSELVES,
}
