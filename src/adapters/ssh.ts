import { connect as connectTcp } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AgentAuthMethod, Client, PublicKeyAuthMethod } from 'ssh2'
import ssh2 from 'ssh2'

import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Clock, Log } from '../domain/ports.ts'
import type { Stage } from '../domain/ssh/failure.ts'
import { dialFailure, hostThing, stopped } from '../domain/ssh/failure.ts'
import type { HostSettings } from '../domain/target.ts'
import { agentAt } from './ssh-agent.ts'
import { algorithmsFor } from './ssh-algorithms.ts'
import type { Seen } from './ssh-connection.ts'
import { connected } from './ssh-connection.ts'
import { dials } from './ssh-dials.ts'
import type { Credential } from './ssh-key.ts'
import { credentialOf } from './ssh-key.ts'
import type { Limits } from './ssh-limits.ts'
import { LIMITS } from './ssh-limits.ts'
import type { Connection, SshPool } from './ssh-pool.ts'
import { poolOf } from './ssh-pool.ts'
import type { Trust } from './ssh-trust.ts'
import { trustOf } from './ssh-trust.ts'

/** Pooled SSH to the configured hosts: public key or agent only, host keys strictly pinned, every phase with its limit. */
export function sshPool(hosts: readonly HostSettings[], deps: SshDeps): SshPool {
  const limits = { ...LIMITS, ...deps.limits }
  return poolOf(hosts, {
    clock: deps.clock,
    inTurn: dials(limits.retryMs),
    async login(host, through, signal) {
      const trust = await trustOf(host)
      if (!trust.ok) return failed(trust.failure)
      const credential = await credentialOf(host, tryKey)
      if (!credential.ok) return failed(credential.failure)
      return login({ host, through, signal, trust: trust.value, credential: credential.value, limits, log: deps.log })
    },
  })
}

interface SshDeps {
  readonly clock: Clock
  readonly log: Log
  /** shorter ones for tests */
  readonly limits?: Partial<Limits>
}

interface Plan {
  readonly host: HostSettings
  readonly through: Duplex | null
  readonly signal: AbortSignal
  readonly trust: Trust
  readonly credential: Credential
  readonly limits: Limits
  readonly log: Log
}

function login(plan: Plan): Promise<Outcome<Connection>> {
  const { host, signal } = plan
  const { promise, resolve } = Promise.withResolvers<Outcome<Connection>>()
  const client = new ssh2.Client()
  const socket = plan.through ?? connectTcp({ host: host.address, port: host.port })
  let stage: Stage = plan.through === null ? 'dialling' : 'open'
  const seen: Seen = { server: '', key: Buffer.alloc(0), banner: '' }
  const fail = (failure: Failure) => {
    resolve(failed(failure))
    socket.destroy()
  }
  const verify = (key: Buffer): boolean => {
    const refusal = plan.trust.judge(key)
    if (refusal !== null) fail(refusal)
    seen.key = key
    return refusal === null
  }
  const stop = () => fail(stopped(hostThing(host)))
  signal.addEventListener('abort', stop, { once: true })
  socket.once('connect', () => {
    stage = 'open'
  })
  socket.once('data', (chunk: Buffer) => {
    seen.server = bannerOf(chunk)
    stage = seen.server === '' ? 'babbled' : 'greeted'
  })
  // permanent: ssh2 emits errors at any time, and one without a listener ends the process (trust.md D4)
  client.on('error', (error) => fail(dialFailure(host, error, stage)))
  client.on('close', () => fail(dialFailure(host, new Error('closed before we were logged in'), stage)))
  client.on('banner', (text) => {
    seen.banner = text.slice(0, 4096)
  })
  client.on('ready', () => resolve(ok(connected({ host, client, socket, seen, limits: plan.limits, log: plan.log }))))
  start(client, socket, plan, verify)
  return promise.finally(() => signal.removeEventListener('abort', stop))
}

/** Nagle would hold back each small packet for 40 ms; ssh2 never turns it off itself (performance.md 4). */
function start(client: Client, socket: Duplex, plan: Plan, hostVerifier: (key: Buffer) => boolean): void {
  const { host, limits, trust } = plan
  client.connect({
    sock: socket,
    username: host.user,
    authHandler: [authentication(host.user, plan.credential)],
    hostVerifier,
    algorithms: algorithmsFor(trust.types),
    readyTimeout: limits.dialMs,
    keepaliveInterval: limits.keepaliveMs,
    keepaliveCountMax: 3,
  })
  client.setNoDelay(true)
}

function authentication(username: string, credential: Credential): PublicKeyAuthMethod | AgentAuthMethod {
  if (credential.from === 'agent')
    return { type: 'agent', username, agent: agentAt(credential.socket, credential.only) }
  const { text, passphrase } = credential
  return passphrase === null
    ? { type: 'publickey', username, key: text }
    : { type: 'publickey', username, key: text, passphrase }
}

/** `OpenSSH_9.2p1 Debian-2+deb12u10`, or nothing where the peer did not greet as an SSH server. */
function bannerOf(chunk: Buffer): string {
  return /^SSH-[\d.]+-([\x20-\x7e]{1,200})/m.exec(chunk.toString('latin1'))?.[1]?.trim() ?? ''
}

function tryKey(text: string, passphrase: string | null): string | null {
  const key = passphrase === null ? ssh2.utils.parseKey(text) : ssh2.utils.parseKey(text, passphrase)
  if (key instanceof Error) return key.message
  return key.isPrivateKey() ? null : 'not a private key'
}
