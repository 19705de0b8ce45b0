import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP } from 'node:net'

import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { errorOf } from './failure-error.ts'

/** The base URL of a model server, or why we do not call it. Link-local and metadata addresses are never called (trust.md T28). */
export function checkUrl(name: string, text: string): Outcome<URL> {
  const refuse = (observed: string, next: string) =>
    failed<URL>({ kind: 'url', thing: `URL of ${name}`, observed, next })
  if (!URL.canParse(text)) return refuse(`${quoted(text)} is no URL`, 'write it as http://ADDRESS:PORT')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refuse(
      `${quoted(text)} has the scheme ${url.protocol}`,
      'write it as http://ADDRESS:PORT or https://ADDRESS',
    )
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('has a user or a password in it', 'take them out; an API key belongs into the api_key of the target')
  }
  if (url.search !== '' || url.hash !== '') {
    return refuse('has a query or a fragment', 'end it after the path; where a key was meant, use api_key')
  }
  if (/\/v1\/?$/.test(url.pathname)) {
    return refuse(`${quoted(text)} ends in /v1`, 'leave /v1 out: it is added to each request')
  }
  if (forbiddenHost(url.hostname)) return failed(forbidden(name, url.hostname))
  return ok(url)
}

/** A name service that never gives a forbidden address, for connections that we open ourselves. */
export function guardedLookup(name: string): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const bad = addresses.find(({ address }) => isForbidden(address))
      if (bad !== undefined) return callback(errorOf(forbidden(name, `${hostname} (${bad.address})`)), '')
      if (options.all === true) return callback(null, addresses)
      const [first] = addresses
      return callback(null, first?.address ?? '', first?.family ?? 4)
    })
  }
}

const METADATA_NAMES: ReadonlySet<string> = new Set(['metadata', 'metadata.google.internal', 'instance-data'])

const forbiddenAddresses = new BlockList()
forbiddenAddresses.addSubnet('169.254.0.0', 16, 'ipv4')
forbiddenAddresses.addAddress('100.100.100.200', 'ipv4')
forbiddenAddresses.addSubnet('fe80::', 10, 'ipv6')
forbiddenAddresses.addAddress('fd00:ec2::254', 'ipv6')
// the same through NAT64
forbiddenAddresses.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')

/** The URL parser has already turned decimal, hex and short spellings of an IPv4 address into the dotted one. */
function forbiddenHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$|\.$/g, '')
  return METADATA_NAMES.has(bare) || isForbidden(bare)
}

function isForbidden(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && forbiddenAddresses.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function forbidden(name: string, host: string): Failure {
  return {
    kind: 'url',
    thing: `URL of ${name}`,
    observed: `${host} is a link-local or metadata address`,
    next: 'name the address of the model server; these are never called, since they hand out credentials',
  }
}

/** A password may stand in a URL that is not one. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\/\/[^/@]*@/, '//…@').slice(0, 100))
}
