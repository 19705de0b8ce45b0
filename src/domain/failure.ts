/** Every way in which a conversation with a host, a server or a file fails. Each kind has its own next step. */
export const FAILURE_KINDS = [
  // the way to a host (trust.md F6-F9)
  'dns',
  'refused',
  'connect-timeout',
  'reset',
  'not-ssh',
  'banned',
  'kex',
  'hostkey-unknown',
  'hostkey-changed',
  'hostkey-revoked',
  'hostkey-file',
  'ssh-auth',
  'key-missing',
  'key-permissions',
  'key-format',
  'key-passphrase',
  'agent',
  'ssh-config',
  'forward-prohibited',
  'forward-refused',
  'lost',
  'keepalive',
  'jump',
  'auth-method',
  // one command on a host
  'max-sessions',
  'exec-refused',
  'no-start',
  'signalled',
  'output-cut',
  'no-end',
  'exit',
  'path',
  'sudo',
  'permission',
  'nfs-stale',
  'nfs-stuck',
  'disk-full',
  'container-stopped',
  'container-exec',
  'container-exit',
  // the gate (deploy/host/pilotflame-gate)
  'gate-missing',
  'gate-refused',
  'gate-garbled',
  'tool-missing',
  'no-such-unit',
  'not-there',
  'fence-busy',
  'fence-stale',
  'in-transition',
  'no-state',
  // HTTP
  'url',
  'tls',
  'not-http',
  'http-status',
  'proxy',
  'redirect',
  'content-encoding',
  'headers-timeout',
  'stalled',
  'deadline',
  'cut',
  'too-large',
  'empty-body',
  'not-json',
  'not-stream',
  'shape',
  'stream-error',
  'ended-early',
  'stopped',
  // ourselves
  'busy',
  'store',
  'config',
  'bug',
] as const

export type FailureKind = (typeof FAILURE_KINDS)[number]

/** A failure names the thing, what was observed, and the next step; `sentence` says it whole. */
export interface Failure {
  readonly kind: FailureKind
  /** what failed, in the operator's words: `host gpu-box-1 (10.0.0.5:22)` */
  readonly thing: string
  /** what was seen: `connection refused` */
  readonly observed: string
  /** what to do next: `start sshd there, or correct hosts.gpu-box-1.port` */
  readonly next: string
  /** what an HTTP server said with it */
  readonly http?: HttpRefusal
}

/** The answer of a server that said no. */
export interface HttpRefusal {
  readonly status: number
  /** the body as text, at most 64 KiB of it */
  readonly body: string
  /** the engine's reading of the body, once an engine has seen it */
  readonly complaint?: Complaint
}

/** What an engine means by an error body. */
export interface Complaint {
  readonly kind:
    | 'auth'
    | 'model-name'
    | 'route'
    | 'context'
    | 'schema'
    | 'not-ready'
    | 'overloaded'
    | 'aborted'
    | 'server'
    | 'proxy'
  readonly message: string
}

export function sentence(failure: Failure): string {
  return `${failure.thing}: ${failure.observed}. Next: ${failure.next}.`
}
