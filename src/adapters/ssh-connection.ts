import type { Duplex } from 'node:stream'

import type { Client } from 'ssh2'

import type { Outcome } from '../domain/outcome.ts'
import type { Log } from '../domain/ports.ts'
import type { RemoteEnd } from '../domain/remote.ts'
import { lost } from '../domain/ssh/failure.ts'
import type { HostSettings } from '../domain/target.ts'
import { errorOf, failureOf } from './failure-error.ts'
import { tryDoors } from './ssh-doors.ts'
import { execute } from './ssh-exec.ts'
import { fingerprint, keyType } from './ssh-fingerprint.ts'
import type { Limits } from './ssh-limits.ts'
import type { Executed } from './ssh-listen.ts'
import type { Connection, HostFacts } from './ssh-pool.ts'
import { openStream } from './ssh-stream.ts'

/** A client that is logged in, as the pool wants it. A channel that does not open retires it, lest it hang for all. */
export function connected(login: Login): Connection {
  const { host, client, socket, seen, limits, log } = login
  const streams = new Set<Duplex>()
  const { promise: closed, resolve: end } = Promise.withResolvers<void>()
  const close = () => {
    client.end()
    socket.destroy()
  }
  const uses = usesOf(close)
  let error: Error | null = null
  let broken: RemoteEnd | null = null
  client.on('error', (last) => {
    error = last
  })
  client.on('close', () => {
    const why = error === null ? 'closed by the other side' : saidBy(error)
    log.info('SSH connection closed', { host: host.name, why })
    broken = brokenBy(error)
    for (const stream of streams) stream.destroy(errorOf(lost(host, why)))
    uses.retire()
    end()
  })
  const facts = factsOf(seen)
  log.info('SSH connection open', { host: host.name, ...facts })
  return {
    host,
    facts,
    gone: uses.gone,
    closed,
    close,
    async open(address, port, signal) {
      const outcome = await openStream(host, `${address}:${port}`, limits.openMs, signal, (done) => {
        client.forwardOut('127.0.0.1', 0, address, port, done)
      })
      if (outcome.ok) {
        const stream = outcome.value
        streams.add(stream)
        stream.once('close', () => streams.delete(stream))
        stream.once('close', uses.begin())
      } else if (outcome.failure.kind === 'connect-timeout' || outcome.failure.kind === 'lost') uses.retire()
      return outcome
    },
    doors() {
      const done = uses.begin()
      return tryDoors(client, host.port, limits.openMs / 2).finally(done)
    },
    exec(command, signal) {
      const { banner } = seen
      const execution = execute(client, { host, command, limits, signal, banner, broke: () => broken })
      const ended = uses.begin()
      void execution.executed.then((outcome) => {
        if (leavesChannel(outcome)) uses.retire()
        ended()
      })
      return execution
    },
  }
}

/** What goes on over a connection. A retired one takes nothing new, and is closed when its last use has ended. */
function usesOf(close: () => void) {
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
  let uses = 0
  let retired = false
  const retire = () => {
    retired = true
    leave()
    if (uses === 0) close()
  }
  return {
    gone,
    retire,
    /** Gives what to call at its end. */
    begin() {
      uses += 1
      return () => {
        uses -= 1
        if (retired) retire()
      }
    },
  }
}

function factsOf({ server, key }: Seen): HostFacts {
  return { server: `SSH server ${server}`, fingerprint: fingerprint(key), keyType: keyType(key) }
}

function brokenBy(error: Error | null): RemoteEnd {
  if (error === null) return { how: 'lost' }
  const level = 'level' in error && typeof error.level === 'string' ? { level: error.level } : {}
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { how: 'error', message: saidBy(error), ...level, ...code }
}

/** Where the connection to a jump host broke, that one is named. */
function saidBy(error: Error): string {
  const failure = failureOf(error)
  return failure === null ? error.message : `connection lost with ${failure.thing}: ${failure.observed}`
}

/** A host that does not answer hangs for everybody; one that opens a channel and refuses the command leaves it open. */
function leavesChannel(outcome: Outcome<Executed>): boolean {
  if (!outcome.ok) return outcome.failure.kind === 'lost'
  const { end } = outcome.value.run
  return end.how === 'error' && end.reason === undefined
}

interface Login {
  readonly host: HostSettings
  readonly client: Client
  /** what the client speaks over */
  readonly socket: Duplex
  readonly seen: Seen
  readonly limits: Limits
  readonly log: Log
}

/** What the other side showed of itself while we logged in. */
export interface Seen {
  server: string
  key: Buffer
  /** what it shows before the login, at most 4 KiB of it */
  banner: string
}
