import type { Code } from '../domain/code.ts'
import type { FailureKind } from '../domain/failure.ts'
import type { Verdict } from '../domain/verdict.ts'

/** What a failure says of the host or target. */
export interface Meaning {
  readonly code: Code
  readonly verdict: Verdict
  /** another cause that the evidence allows; the first is then only likely */
  readonly unless?: string
}

const HOST: Meaning = { code: 'ssh.unreachable', verdict: 'unreachable' }
const CLOSED: Meaning = {
  code: 'ssh.dropped-preauth',
  verdict: 'unreachable',
  unless: 'what listens there is no SSH server; such a one may close in the same way: ssh -v shows its greeting.',
}
const HOST_KEY: Meaning = { code: 'ssh.hostkey', verdict: 'unreachable' }
const OUR_KEY: Meaning = { code: 'ssh.key', verdict: 'misconfigured' }
const NOT_STARTED: Meaning = { code: 'ssh.path', verdict: 'misconfigured' }
const OURSELVES: Meaning = { code: 'log.need-more', verdict: 'inconclusive' }
const ROUTE: Meaning = { code: 'request.route', verdict: 'client-error' }
const SILENT: Meaning = {
  code: 'engine.hang',
  verdict: 'inconclusive',
  unless:
    'it is only full or reads a very long prompt: its queue and running requests (metrics) and its log tell; look there before a restart.',
}

/** Nobody speaks at the server's address. */
export const SERVER: Meaning = { code: 'server.unreachable', verdict: 'unreachable' }
export const CUT: Meaning = { code: 'transport.truncated', verdict: 'inconclusive' }

/** What each kind of failure means; null where a rule knows more (refused, stranger). */
export const MEANING: Readonly<Record<FailureKind, Meaning | null>> = {
  // the way: the same kinds happen behind a tunnel too, on the way to a server
  dns: HOST,
  refused: { code: 'ssh.refused', verdict: 'unreachable' },
  'connect-timeout': { code: 'ssh.timeout', verdict: 'unreachable' },
  reset: { code: 'ssh.dropped-preauth', verdict: 'unreachable' },
  lost: { code: 'ssh.dropped-mid', verdict: 'unreachable' },
  'not-ssh': HOST,
  banned: CLOSED,
  kex: { code: 'ssh.algorithms', verdict: 'unreachable' },
  'hostkey-unknown': HOST_KEY,
  'hostkey-changed': HOST_KEY,
  'hostkey-revoked': HOST_KEY,
  'hostkey-file': HOST_KEY,
  'ssh-auth': { code: 'ssh.auth', verdict: 'unreachable' },
  'auth-method': { code: 'ssh.auth-alg', verdict: 'unreachable' },
  'key-missing': OUR_KEY,
  'key-permissions': OUR_KEY,
  'key-format': { code: 'ssh.key-format', verdict: 'misconfigured' },
  'key-passphrase': { code: 'ssh.key-passphrase', verdict: 'misconfigured' },
  agent: OUR_KEY,
  'ssh-config': { code: 'ssh.config', verdict: 'misconfigured' },
  'forward-prohibited': { code: 'ssh.forward', verdict: 'misconfigured' },
  'forward-refused': SERVER,
  keepalive: { code: 'ssh.keepalive', verdict: 'unreachable' },
  jump: { code: 'ssh.jump', verdict: 'unreachable' },
  // one command
  'max-sessions': { code: 'ssh.max-sessions', verdict: 'overloaded' },
  'exec-refused': { code: 'ssh.exec-refused', verdict: 'misconfigured' },
  'no-start': NOT_STARTED,
  path: NOT_STARTED,
  signalled: { code: 'cmd.signal', verdict: 'broken' },
  'output-cut': { code: 'cmd.output-truncated', verdict: 'degraded' },
  'no-end': { code: 'cmd.timeout', verdict: 'inconclusive' },
  exit: OURSELVES,
  sudo: { code: 'ssh.sudo', verdict: 'misconfigured' },
  permission: { code: 'host.permission', verdict: 'misconfigured' },
  'nfs-stale': { code: 'host.nfs-stale', verdict: 'misconfigured' },
  'nfs-stuck': { code: 'host.nfs-stuck', verdict: 'inconclusive' },
  'disk-full': { code: 'host.disk-full', verdict: 'degraded' },
  'container-stopped': { code: 'lxc.stopped', verdict: 'unreachable' },
  'container-exec': { code: 'lxc.exec-failed', verdict: 'misconfigured' },
  'container-exit': { code: 'lxc.exit-unreliable', verdict: 'inconclusive' },
  // the gate
  'tool-missing': { code: 'tool.missing', verdict: 'misconfigured' },
  'no-such-unit': { code: 'unit.missing', verdict: 'misconfigured' },
  'in-transition': { code: 'state.loading', verdict: 'not-ready' },
  'gate-missing': OURSELVES,
  'gate-refused': OURSELVES,
  'gate-garbled': OURSELVES,
  'not-there': OURSELVES,
  'fence-busy': OURSELVES,
  'fence-stale': OURSELVES,
  'no-state': OURSELVES,
  // HTTP
  url: ROUTE,
  proxy: SERVER,
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
  // ourselves
  stopped: OURSELVES,
  busy: OURSELVES,
  store: OURSELVES,
  config: OURSELVES,
  bug: OURSELVES,
}
