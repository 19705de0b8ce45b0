import type { LookupFunction } from 'node:net'

import { buildConnector, Client } from 'undici'

import type { Failure } from '../domain/failure.ts'
import { failed, ok } from '../domain/outcome.ts'
import { errorOf } from './failure-error.ts'
import type { Dial } from './http-dial.ts'
import { wireFailure } from './http-failure.ts'
import { CORRECT_PROXY, proxyRefusal } from './http-proxy-failure.ts'

/** An HTTP proxy that the configuration names; those of the environment are never used. */
export interface HttpProxy {
  /** opens a connection to the proxy itself, whatever server is wanted behind it */
  readonly connect: buildConnector.connector
  /** opens a stream to a server behind it, by CONNECT */
  readonly dial: Dial
}

interface ProxyOptions {
  /** `proxy http://10.0.0.9:3128 of target qwen`, for failures */
  readonly thing: string
  readonly url: URL
  readonly lookup: LookupFunction
  /** for a connection, and again for the answer to CONNECT; in ms */
  readonly limitMs: number
  /** bytes of the answer to CONNECT */
  readonly largestHead: number
}

export function proxyAt({ thing, url, lookup, limitMs, largestHead }: ProxyOptions): HttpProxy {
  const plain = buildConnector({ allowH2: false, timeout: limitMs, lookup })
  const place = { protocol: 'http:', hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port || '80' }
  const connect: buildConnector.connector = (_server, callback) =>
    plain(place, (error, socket) =>
      error === null ? callback(null, socket) : callback(errorOf(unreachable(thing, error)), null),
    )
  return {
    connect,
    async dial(host, port, signal) {
      const client = new Client(url.origin, { connect, headersTimeout: 0, maxHeaderSize: largestHead })
      const path = `${host.includes(':') ? `[${host}]` : host}:${port}`
      const late = AbortSignal.timeout(limitMs)
      try {
        const { statusCode, socket } = await client.connect({ path, signal: AbortSignal.any([signal, late]) })
        if (statusCode >= 200 && statusCode < 300) return ok(socket)
        socket.destroy()
        return failed(proxyRefusal(thing, statusCode, ` to CONNECT ${path}`))
      } catch (error) {
        return failed(late.aborted ? mute(thing, path, limitMs) : unreachable(thing, error))
      } finally {
        // the stream is no longer the client's
        await client.destroy()
      }
    },
  }
}

function unreachable(thing: string, error: unknown): Failure {
  const failure = wireFailure(thing, error, false)
  if (failure === null) throw error
  return failure.kind === 'url' ? failure : { ...failure, next: CORRECT_PROXY }
}

function mute(thing: string, path: string, ms: number): Failure {
  return {
    kind: 'connect-timeout',
    thing,
    observed: `no answer to CONNECT ${path} within ${ms / 1000} s`,
    next: 'see whether the proxy hangs, and whether it reaches that address',
  }
}
