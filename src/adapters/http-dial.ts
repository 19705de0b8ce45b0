import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import type { buildConnector } from 'undici'

import type { Outcome } from '../domain/outcome.ts'
import { errorOf } from './failure-error.ts'

/** Opens a stream to an address as seen from elsewhere; aborting the signal closes it. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Outcome<Duplex>>

/** Connections through somebody else's stream, with `secure` on top for https; its failures reach the caller as they are. */
export function through(dial: Dial, secure: buildConnector.connector, closing: AbortSignal): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
    const opened = (outcome: Outcome<Duplex>) => {
      if (!outcome.ok) return callback(errorOf(outcome.failure), null)
      const stream = outcome.value
      if (!isSocketLike(stream))
        return callback(new TypeError('the dialled stream lacks the methods of a socket'), null)
      return options.protocol === 'https:'
        ? secure({ ...options, httpSocket: stream }, callback)
        : callback(null, stream)
    }
    void dial(options.hostname, port, closing).then(opened, (bug: Error) => callback(bug, null))
  }
}

/** undici asks for a Socket and uses a Duplex with these. */
function isSocketLike(stream: Duplex): stream is Socket {
  return ['setNoDelay', 'setKeepAlive', 'setTimeout', 'ref', 'unref'].every((method) => method in stream)
}
