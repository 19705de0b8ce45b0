import type { Duplex } from 'node:stream'

import type { Door } from '../domain/door.ts'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Clock } from '../domain/ports.ts'
import { hostThing, stopped } from '../domain/ssh/failure.ts'
import type { HostSettings } from '../domain/target.ts'
import type { InTurn } from './ssh-dials.ts'
import type { Execution } from './ssh-exec.ts'
import type { Command } from './ssh-listen.ts'
import { findHost, way } from './ssh-way.ts'

/** One SSH connection a host, opened when it is first needed and shared by all who need it. */
export interface SshPool {
  /** A stream to an address as seen from the host. Aborting the signal closes it at once, open or not yet. */
  dial(host: string, address: string, port: number, signal: AbortSignal): Promise<Outcome<Duplex>>
  /** The connection to a host, opened where there is none. */
  connect(host: string, signal: AbortSignal): Promise<Outcome<Connection>>
  /** Logs in, where nobody has yet, and tells who answered. One that refused our key is tried again, at most once a minute. */
  check(host: string, signal: AbortSignal): Promise<Outcome<HostFacts>>
  /** Tries whatever else the account might allow. */
  doors(host: string, signal: AbortSignal): Promise<Outcome<readonly Door[]>>
  close(): Promise<void>
}

/** What a host said of itself when we logged in. */
export interface HostFacts {
  /** `SHA256:…` */
  readonly fingerprint: string
  /** `ssh-ed25519` */
  readonly keyType: string
  /** in words: `SSH server OpenSSH_9.2p1 Debian-2+deb12u10` */
  readonly server: string
}

/** A connection that is logged in. */
export interface Connection {
  readonly host: HostSettings
  readonly facts: HostFacts
  open(address: string, port: number, signal: AbortSignal): Promise<Outcome<Duplex>>
  /** Asks for a command now, however many run already. */
  exec(command: Command, signal: AbortSignal): Execution
  doors(): Promise<readonly Door[]>
  /** Resolves when nobody should be sent there any more: it is closed, or it does not open streams. */
  readonly gone: Promise<void>
  readonly closed: Promise<void>
  close(): void
}

/** Logs in once; `through` is the stream of a jump host. It gives up when the signal is aborted. */
export type Login = (host: HostSettings, through: Duplex | null, signal: AbortSignal) => Promise<Outcome<Connection>>

/** The pool over a way to log in: sharing, jump hosts, and no second try after a refused login. */
export function poolOf(hosts: readonly HostSettings[], { clock, login, inTurn }: PoolDeps): SshPool {
  const connections = shared(connectTo)
  const refusals = refusalsOf(clock)
  const closing = new AbortController()

  async function connectTo(name: string): Promise<Outcome<Connection>> {
    const host = findHost(hosts, name)
    if (!host.ok) return failed(host.failure)
    if (closing.signal.aborted) return failed(stopped(hostThing(host.value)))
    const refusal = refusals.of(name)
    if (refusal !== null) return failed(refusal)
    const outcome = await inTurn(host.value, closing.signal, async () => {
      const through = await wayTo(host.value)
      return through.ok ? login(host.value, through.value, closing.signal) : failed<Connection>(through.failure)
    })
    if (!outcome.ok) refusals.note(name, outcome.failure)
    return outcome
  }

  async function wayTo(host: HostSettings): Promise<Outcome<Duplex | null>> {
    if (host.jump === null) return ok(null)
    const jump = await connections.get(host.jump)
    return jump.ok ? jump.value.open(host.address, host.port, closing.signal) : failed(jump.failure)
  }

  return {
    async dial(name, address, port, signal) {
      const once = async () => {
        const connection = await unlessStopped(connections.get(name), name, signal)
        return connection.ok ? connection.value.open(address, port, signal) : failed<Duplex>(connection.failure)
      }
      const first = await once()
      // a pooled connection may have died unnoticed; nothing was sent yet, so once more is safe
      return !first.ok && first.failure.kind === 'lost' ? once() : first
    },
    connect: (name, signal) => unlessStopped(connections.get(name), name, signal),
    async check(name, signal) {
      for (const host of way(hosts, name)) refusals.lift(host.name)
      const connection = await unlessStopped(connections.get(name), name, signal)
      return connection.ok ? ok(connection.value.facts) : failed(connection.failure)
    },
    async doors(name, signal) {
      const connection = await unlessStopped(connections.get(name), name, signal)
      return connection.ok ? unlessStopped(connection.value.doors().then(ok), name, signal) : failed(connection.failure)
    },
    async close() {
      closing.abort()
      const open = await connections.all()
      for (const connection of open) connection.close()
      await Promise.all(open.map((connection) => connection.closed))
    },
  }
}

interface PoolDeps {
  readonly clock: Clock
  readonly login: Login
  readonly inTurn: InTurn
}

/** One connection a name, or one attempt at it, for all who ask, until it fails or should not be used any more. */
function shared(make: (name: string) => Promise<Outcome<Connection>>) {
  const known = new Map<string, Promise<Outcome<Connection>>>()
  return {
    get(name: string): Promise<Outcome<Connection>> {
      const pending = known.get(name) ?? make(name)
      if (known.get(name) === pending) return pending
      known.set(name, pending)
      void pending.then(async (outcome) => {
        if (outcome.ok) await outcome.value.gone
        if (known.get(name) === pending) known.delete(name)
      })
      return pending
    },
    async all(): Promise<readonly Connection[]> {
      const outcomes = await Promise.all(known.values())
      return outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []))
    },
  }
}

/** The connection is for all who wait for it, so one who leaves does not stop it. */
async function unlessStopped<T>(work: Promise<Outcome<T>>, name: string, signal: AbortSignal): Promise<Outcome<T>> {
  if (signal.aborted) return failed(stopped(`host ${name}`))
  const { promise: gone, resolve } = Promise.withResolvers<Outcome<T>>()
  const leave = () => resolve(failed(stopped(`host ${name}`)))
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, gone])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** sshd answers repeated failed logins by locking our address out, the good keys too (trust.md D7). */
const AUTH_PAUSE_MS = 10 * 60_000
/** A person who asks whether it is mended need not wait for that; what asks in a loop must. */
const CHECK_PAUSE_MS = 60_000

/** Remembers which hosts refused our key a short while ago. */
function refusalsOf(clock: Clock) {
  const refused = new Map<string, { readonly failure: Failure; readonly until: number }>()
  const checked = new Map<string, number>()
  return {
    of(name: string): Failure | null {
      const refusal = refused.get(name)
      if (refusal === undefined || clock.monotonic() >= refusal.until) return null
      const { failure } = refusal
      return { ...failure, observed: `${failure.observed} (within the last 10 minutes; not tried again yet)` }
    },
    note(name: string, failure: Failure): void {
      if (failure.kind === 'ssh-auth') refused.set(name, { failure, until: clock.monotonic() + AUTH_PAUSE_MS })
    },
    /** Ends the pause for a check, unless another one did so a moment ago. */
    lift(name: string): void {
      const now = clock.monotonic()
      if (!refused.has(name) || now < (checked.get(name) ?? Number.NEGATIVE_INFINITY) + CHECK_PAUSE_MS) return
      checked.set(name, now)
      refused.delete(name)
    },
  }
}
