import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { slots } from '../../src/adapters/limiter.ts'
import { sshPool } from '../../src/adapters/ssh.ts'
import { hostsOf } from '../../src/adapters/ssh-host.ts'
import type { SshPool } from '../../src/adapters/ssh-pool.ts'
import { systemClock } from '../../src/app/clock.ts'
import type { Host } from '../../src/domain/host.ts'
import type { HostSettings } from '../../src/domain/target.ts'
import { silent } from '../adapters/http-server.ts'

type Limits = Parameters<typeof sshPool>[1]['limits']

export const GATE_SCRIPT = await readFile(new URL('../../deploy/host/pilotflame-gate', import.meta.url), 'utf8')

/** An operation id that nobody can guess. */
export function newOp(): string {
  return randomUUID().replaceAll('-', '')
}

/** The product's own pool and Host port over some hosts, with no part replaced. */
export interface Verbs {
  readonly pool: SshPool
  readonly host: (name: string) => Host
  close(): Promise<void>
}

/** `gate`: another script in place of the real one, where a test has many calls and is not about the gate */
export function verbsOver(hosts: readonly HostSettings[], limits: Limits = {}, gate = GATE_SCRIPT): Verbs {
  const pool = sshPool(hosts, { clock: systemClock, log: silent, limits })
  const host = hostsOf(pool, { gate, newOp, slots, clock: systemClock, log: silent })
  return { pool, host, close: () => pool.close() }
}
