import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { slots } from '../../src/adapters/limiter.ts'
import { sshPool } from '../../src/adapters/ssh.ts'
import { hostsOf } from '../../src/adapters/ssh-host.ts'
import type { Connection, SshPool } from '../../src/adapters/ssh-pool.ts'
import type { Host } from '../../src/domain/host.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import type { HostSettings } from '../../src/domain/target.ts'

/** The product's own pool over these hosts. */
export function pool(hosts: readonly HostSettings[]): SshPool {
  return sshPool(hosts, { clock, log })
}

/** So many hosts, as the product sees them: one at each address, then the next round. */
export function fleet(host: HostSettings, addresses: readonly string[], count: number): readonly HostSettings[] {
  return Array.from({ length: count }, (_, index) => ({
    ...host,
    name: `host-${index + 1}`,
    address: addresses[index % addresses.length] ?? host.address,
  }))
}

/** A connection that is logged in. */
export async function connected(ssh: SshPool, name: string): Promise<Connection> {
  return sure(await ssh.connect(name, never))
}

/** What a command printed. It must end with 0. */
export async function execute(connection: Connection, line: string): Promise<string> {
  const { executed } = connection.exec({ line, stdin: '', deadlineMs: 60_000 }, never)
  const { end, stdout, stderr } = sure(await executed).run
  if (end.how === 'exited' && end.code === 0) return stdout
  throw new Error(`${line} on ${connection.host.name}: ${JSON.stringify(end)} ${stderr}`)
}

/** A host of the pool as commands see it: verbs through the gate. */
export function gated(ssh: SshPool, name: string): Host {
  const gate = readFileSync(join(import.meta.dirname, '../../deploy/host/pilotflame-gate'), 'utf8')
  return hostsOf(ssh, { gate, newOp: () => randomBytes(16).toString('hex'), slots, clock, log })(name)
}

export function sure<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.thing}: ${outcome.failure.observed}`)
  return outcome.value
}

export const never = new AbortController().signal

const clock = { now: () => Date.now(), monotonic: () => performance.now() }
export const log = { debug() {}, info() {}, warn: console.warn, error: console.error }
