import type { Socket } from 'node:net'
import { connect } from 'node:net'

import { slots } from '../../src/adapters/limiter.ts'
import { sshPool } from '../../src/adapters/ssh.ts'
import { hostsOf } from '../../src/adapters/ssh-host.ts'
import type { SshPool } from '../../src/adapters/ssh-pool.ts'
import type { Host } from '../../src/domain/host.ts'
import type { HostSettings } from '../../src/domain/target.ts'
import type { Box, BoxOptions } from '../../src/lab/box.ts'
import { startBox } from '../../src/lab/box.ts'
import type { Listening } from './http-server.ts'
import { serveTcp, silent } from './http-server.ts'
import { hostAt } from './ssh-server.ts'
import { closeLater } from './tidy.ts'

type Limits = Parameters<typeof sshPool>[1]['limits']

const clock = { now: () => 0, monotonic: () => performance.now() }

export function poolFor(hosts: readonly HostSettings[], limits: Limits = {}): SshPool {
  const pool = sshPool(hosts, { clock, log: silent, limits: { retryMs: 1, ...limits } })
  closeLater(pool)
  return pool
}

/** The lab's box until the end of the test. */
export async function box(options: BoxOptions = {}): Promise<Box> {
  const made = await startBox(options)
  closeLater(made)
  return made
}

/** How to log in to a box, maybe by another port that leads there. */
export function settingsFor({ port, user, privateKey, hostKeyLine }: Box, more: Partial<HostSettings> = {}) {
  const key = { from: 'text', text: privateKey, passphrase: null } as const
  return hostAt({ port, user, key, trust: { from: 'pinned', keys: [hostKeyLine] }, ...more })
}

/** The script that the tests send as the gate. */
export const SCRIPT = '# the gate\n'

/** A host of a pool; operation ids count up. */
export function hostOf(pool: SshPool, name = 'box'): Host {
  let calls = 0
  const newOp = () => (++calls).toString(16).padStart(32, '0')
  return hostsOf(pool, { gate: SCRIPT, newOp, slots, clock, log: silent })(name)
}

/** What the gate prints for one command line. */
export function frame(command: string, sections: Readonly<Record<string, string>> = {}, more: Frame = {}): string {
  const [, , , , op = ''] = command.split(' ')
  const { delivery = 'quick', rc = 0 } = more
  const parts = Object.entries(sections).map(
    ([name, text]) => `\nGATE ${op} section ${name}\n${text}\nGATE ${op} close 0\n`,
  )
  return `\nGATE ${op} begin 1 ${delivery}\n${parts.join('')}\nGATE ${op} end ${rc}\n`
}

interface Frame {
  readonly delivery?: 'quick' | 'installed'
  readonly rc?: number
}

interface Relay extends Listening {
  /** Passes nothing on any more, while it keeps the connections open. */
  freeze(): void
}

/** A relay to a port; `behave` may look at each connection. */
export async function relayTo(port: number, behave: (near: Socket, far: Socket) => void = pipe): Promise<Relay> {
  const ends: Socket[] = []
  const place = await serveTcp((near) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    ends.push(near.setNoDelay(true), far)
    far.on('error', () => {}).on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    behave(near, far)
  })
  const relay = { ...place, freeze: () => ends.forEach((socket) => void socket.unpipe().pause()) }
  closeLater(relay)
  return relay
}

function pipe(near: Socket, far: Socket): void {
  near.pipe(far).pipe(near)
}
