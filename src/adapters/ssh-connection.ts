import type { Duplex } from 'node:stream'

import type { Client } from 'ssh2'

import type { Log } from '../domain/ports.ts'
import type { HostSettings } from '../domain/target.ts'
import { errorOf } from './failure-error.ts'
import { lost } from './ssh-failure.ts'
import { fingerprint, keyType } from './ssh-fingerprint.ts'
import type { Connection, HostFacts } from './ssh-pool.ts'
import { openStream } from './ssh-stream.ts'

/** A client that is logged in, as the pool wants it. A stream that does not open retires it, lest it hang for all. */
export function connected(login: Login): Connection {
  const { host, client, socket, seen, log } = login
  const streams = new Set<Duplex>()
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
  const { promise: closed, resolve: end } = Promise.withResolvers<void>()
  let why = 'closed by the other side'
  let retired = false
  const server = `SSH server ${seen.server}`
  const facts: HostFacts = { server, fingerprint: fingerprint(seen.key), keyType: keyType(seen.key) }
  const close = () => {
    client.end()
    socket.destroy()
  }
  const retire = () => {
    retired = true
    leave()
    if (streams.size === 0) close()
  }
  const keep = (stream: Duplex) => {
    streams.add(stream)
    stream.once('close', () => {
      streams.delete(stream)
      if (retired) retire()
    })
  }
  client.on('error', (error) => {
    why = error.message
  })
  client.on('close', () => {
    log.info('SSH connection closed', { host: host.name, why })
    for (const stream of streams) stream.destroy(errorOf(lost(host, why)))
    leave()
    end()
  })
  log.info('SSH connection open', { host: host.name, ...facts })
  return {
    facts,
    gone,
    closed,
    close,
    async open(address, port, signal) {
      const outcome = await openStream(host, `${address}:${port}`, login.openMs, signal, (done) => {
        client.forwardOut('127.0.0.1', 0, address, port, done)
      })
      if (outcome.ok) keep(outcome.value)
      else if (outcome.failure.kind === 'connect-timeout' || outcome.failure.kind === 'lost') retire()
      return outcome
    },
  }
}

interface Login {
  readonly host: HostSettings
  readonly client: Client
  /** what the client speaks over */
  readonly socket: Duplex
  readonly seen: Seen
  /** for one stream to open, ms */
  readonly openMs: number
  readonly log: Log
}

/** What the other side showed of itself while we logged in. */
export interface Seen {
  server: string
  key: Buffer
}
