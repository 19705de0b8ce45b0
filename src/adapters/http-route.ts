import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'

import { buildConnector } from 'undici'

import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { errorOf } from './failure-error.ts'
import type { Dial } from './http-dial.ts'
import { through } from './http-dial.ts'
import type { HttpProxy } from './http-proxy.ts'
import { proxyAt } from './http-proxy.ts'
import { ownTrust, vouched } from './http-tls.ts'
import type { Resolve } from './http-url.ts'
import { checkProxy, guardedLookup, guardedName } from './http-url.ts'

/** How the bytes get to a server. */
export interface Route {
  readonly connect: buildConnector.connector
  /** ` through the proxy http://10.0.0.9:3128`, for failures; empty without one */
  readonly via: string
  /** what stands before each path: the origin, where a proxy is to read it */
  readonly prefix: string
  /** the proxy that reads each request and may answer it itself; null where none does */
  readonly reader: string | null
  /** whether a connection may carry a second request */
  readonly kept: boolean
}

export interface RouteOptions {
  /** `target qwen`, for failures */
  readonly name: string
  /** null: no stream of somebody else's */
  readonly dial: Dial | null
  /** certificates in PEM that may vouch for the server besides the public ones */
  readonly ca?: string | null
  /** the origin of the proxy for requests that nobody dials for; the environment is never asked */
  readonly proxy?: string | null
  /** for tests: the name service, and how long a connection may take */
  readonly resolve?: Resolve
  readonly connectMs?: number
}

/** Bytes of a head, ours to say whatever NODE_OPTIONS says. */
export const LARGEST_HEAD = 16 * 1024

/** The way to a server: somebody's stream, a proxy, or straight. `closing` ends what is still on its way. */
export function routeTo(url: URL, options: RouteOptions, closing: AbortSignal): Outcome<Route> {
  const { name, dial, ca = null, proxy = null, connectMs = 10_000 } = options
  const lookup = guardedLookup(`URL of ${name}`, options.resolve)
  const direct = straight(name, lookup, ca, connectMs)
  if (dial !== null) return ok({ ...KEPT, connect: through(looked(dial, lookup), direct, closing) })
  if (proxy === null) return ok({ ...KEPT, connect: direct })
  const checked = checkProxy(name, proxy)
  if (!checked.ok) return failed(checked.failure)
  const { origin } = checked.value
  const thing = `proxy ${origin} of ${name}`
  const guarded = guardedLookup(thing, options.resolve)
  const middle = proxyAt({ thing, url: checked.value, lookup: guarded, limitMs: connectMs, largestHead: LARGEST_HEAD })
  const via = ` through the proxy ${origin}`
  return url.protocol === 'https:'
    ? ok({ ...KEPT, via, connect: through(looked(middle.dial, lookup), direct, closing) })
    : ok({ kept: false, via, prefix: url.origin, reader: origin, connect: forwarded(middle, lookup) })
}

const KEPT = { via: '', prefix: '', reader: null, kept: true } as const

/** Opens connections itself, and speaks TLS also on a stream that it is given. */
function straight(name: string, lookup: LookupFunction, ca: string | null, timeout: number) {
  if (ca === null) return buildConnector({ allowH2: false, timeout, lookup })
  return vouched(name, buildConnector({ allowH2: false, timeout, lookup, secureContext: ownTrust(ca) }))
}

/** Who dials resolves the name elsewhere; a name that means a forbidden address here is not even asked for there. */
function looked(dial: Dial, lookup: LookupFunction): Dial {
  return async (host, port, signal) => {
    const bad = isIP(host) === 0 ? await guardedName(lookup, host) : null
    return bad === null ? dial(host, port, signal) : failed(bad)
  }
}

/** The proxy looks the name up for each request, so each has a connection of its own, before which we look, too. */
function forwarded(proxy: HttpProxy, lookup: LookupFunction): buildConnector.connector {
  return (server, callback) => {
    void guardedName(lookup, server.hostname).then((bad) =>
      bad === null ? proxy.connect(server, callback) : callback(errorOf(bad), null),
    )
  }
}
