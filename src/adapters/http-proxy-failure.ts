import type { Failure, FailureKind } from '../domain/failure.ts'

/** A proxy's no: to us (407), to the way we asked for, or to that server. `to`: what we asked of it. */
export function proxyRefusal(thing: string, status: number, to = ''): Failure {
  if (status === 407) return { kind: 'proxy', thing, observed: WANTS_USER, next: ACCEPT_US }
  return {
    kind: 'proxy',
    thing,
    observed: `answered HTTP ${status}${to}`,
    next:
      status >= 500
        ? 'see whether the server behind it is up, and what the log of the proxy says'
        : 'let the proxy allow that address and port, or take proxy off the target in pilotflame.yml; what knows no CONNECT is another server, and no proxy',
  }
}

const WANTS_USER = 'a proxy on the way asks for a user and password (HTTP 407)'
const ACCEPT_US = 'let the proxy accept this machine by its address: no password is sent to a proxy'

/**
 * What came by a proxy that reads the requests: what speaks no HTTP is the proxy, and any other answer may be its own.
 * Failures to reach it name it themselves.
 */
export function throughProxy(failure: Failure, proxy: string): Failure {
  const { kind, observed, next } = failure
  if (kind === 'not-http')
    return {
      ...failure,
      observed: observed.replace('answers there', `answers at the proxy ${proxy}`),
      next: CORRECT_PROXY,
    }
  if (!OF_EITHER.has(kind)) return failure
  return { ...failure, next: `${next}; where the proxy ${proxy} itself did that, ${CORRECT_PROXY}` }
}

const OF_EITHER: ReadonlySet<FailureKind> = new Set([
  'http-status',
  'redirect',
  'reset',
  'headers-timeout',
  'proxy',
  'content-encoding',
  'cut',
  'empty-body',
  'not-json',
  'not-stream',
])

export const CORRECT_PROXY =
  'see whether the proxy runs and what its log says, or correct proxy at the target in pilotflame.yml'
