import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { BaseUrl } from '../domain/url.ts'
import { dangerOf, NEVER_CALLED, readBaseUrl, readProxyUrl } from '../domain/url.ts'
import { errorOf, failureOf } from './failure-error.ts'

/**
 * The base URL of a model server, or why we do not call it. Nothing else is called: no request leaves this origin, no
 * redirect is followed. The files that people upload to Slack (files.slack.com) will need a door of their own.
 */
export function checkUrl(name: string, text: string): Outcome<URL> {
  return urlOf(`URL of ${name}`, readBaseUrl(text))
}

export function checkProxy(name: string, text: string): Outcome<URL> {
  return urlOf(`proxy of ${name}`, readProxyUrl(text))
}

/** Node's `lookup` for all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A name service that never gives a forbidden address, for connections that we open ourselves. `thing`: `URL of target qwen`. */
export function guardedLookup(thing: string, resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const bad = addresses.find(({ address }) => dangerOf(address) !== null)
      if (bad !== undefined) return callback(errorOf(forbidden(thing, hostname, bad.address)), '')
      if (options.all === true) return callback(null, addresses)
      const [first] = addresses
      return callback(null, first?.address ?? '', first?.family ?? 4)
    })
  }
}

/**
 * Whether a proxy may be asked for a name: not where it means a forbidden address here. A name that has no meaning here,
 * or none within 2 s, is the proxy's to find.
 */
export function guardedName(
  guarded: LookupFunction,
  hostname: string,
  limitMs: number = NAME_MS,
): Promise<Failure | null> {
  const { promise, resolve } = Promise.withResolvers<Failure | null>()
  const late = setTimeout(resolve, limitMs, null)
  guarded(hostname, { all: true }, (error) => resolve(failureOf(error)))
  return promise.finally(() => clearTimeout(late))
}

const NAME_MS = 2_000

function urlOf(thing: string, read: BaseUrl): Outcome<URL> {
  return read.ok ? ok(new URL(read.url)) : failed(refused(thing, read.found, read.next))
}

function forbidden(thing: string, hostname: string, address: string): Failure {
  return refused(thing, `${hostname}, which is the ${dangerOf(address)} address ${address}`, NEVER_CALLED)
}

function refused(thing: string, found: string, next: string): Failure {
  return { kind: 'url', thing, observed: `found ${found}`, next }
}
