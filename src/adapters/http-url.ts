import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { dangerOf, NEVER_CALLED, readBaseUrl } from '../domain/url.ts'
import { errorOf } from './failure-error.ts'

/** The base URL of a model server, or why we do not call it. */
export function checkUrl(name: string, text: string): Outcome<URL> {
  const base = readBaseUrl(text)
  return base.ok ? ok(new URL(base.url)) : failed(refused(name, base.found, base.next))
}

/** A name service that never gives a forbidden address, for connections that we open ourselves. */
export function guardedLookup(name: string): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const bad = addresses.find(({ address }) => dangerOf(address) !== null)
      if (bad !== undefined) return callback(errorOf(forbidden(name, hostname, bad.address)), '')
      if (options.all === true) return callback(null, addresses)
      const [first] = addresses
      return callback(null, first?.address ?? '', first?.family ?? 4)
    })
  }
}

function forbidden(name: string, hostname: string, address: string): Failure {
  return refused(name, `${hostname}, which is the ${dangerOf(address)} address ${address}`, NEVER_CALLED)
}

function refused(name: string, found: string, next: string): Failure {
  return { kind: 'url', thing: `URL of ${name}`, observed: `found ${found}`, next }
}
