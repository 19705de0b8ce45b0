import { join } from 'node:path'

import type { HostSettings } from '../src/domain/target.ts'
import { ping } from '../src/domain/verbs/index.ts'
import { delayed } from './far/delay.ts'
import { connected, execute, gated, never, pool, sure } from './far/ours.ts'
import { output, parties, timed } from './far/program.ts'
import type { FarHost } from './far/sshd.ts'
import { startSshd } from './far/sshd.ts'
import { inTurn, print, skipped } from './measure.ts'

/**
 * Rows 2 and 3: how often a connection, a command and the reads of a status go to and fro, on a way that takes 100 or 50 ms.
 * The greeting of TCP itself is not held back: over a real network a connection takes one round trip more.
 */

/** What a status may read of /proc. */
const READS = ['uptime', 'loadavg', 'meminfo', 'stat', 'mounts', 'net/tcp'].map((name) => `cat /proc/${name}`)

const far = await startSshd()
if (far === null) for (const row of ['2', '3']) skipped(`${row} round trips`, '/usr/sbin/sshd is not there')
else {
  await oneCommand(far, 100)
  await withoutDelay(far)
  await status(far, 50)
}
console.log(`  ${parties(['ssh -V'])}`)
// the far programs end with us
process.exit()

async function oneCommand({ folder, host }: FarHost, rttMs: number): Promise<void> {
  const slow = { ...host, port: await delayed(host.port, rttMs) }
  const warm = await connected(pool([slow]), slow.name)
  const ssh = [...coldSsh(folder), '-p', String(slow.port), 'bench', 'true']
  const rounds = await inTurn(
    {
      connect: () => connectMs(slow),
      exec: () => timed(() => execute(warm, 'true')),
      ssh: () => timed(() => output('ssh', ssh)),
    },
    7,
  )
  const trips = (name: 'connect' | 'exec' | 'ssh') => rounds.of(name).map((ms) => ms / rttMs)
  print(`2 connect, round trips of ${rttMs} ms`, trips('connect'), ['<=', 5.5, 'count'])
  print(`2 exec, round trips of ${rttMs} ms`, trips('exec'), ['<=', 2.2, 'count'])
  print(`  cold ssh, round trips of ${rttMs} ms`, trips('ssh'))
}

async function withoutDelay({ folder, host }: FarHost): Promise<void> {
  const rounds = await inTurn(
    {
      ours: () => connectMs(host, 'true'),
      ssh: () => timed(() => output('ssh', [...coldSsh(folder), 'bench', 'true'])),
    },
    30,
  )
  print('2 connect + exec / cold ssh', rounds.ratios('ours', 'ssh'), ['<=', 0.5])
  for (const way of ['ours', 'ssh'] as const) print(`  connect + exec, ${way}, ms`, rounds.of(way))
}

/** Only the reads themselves, over a connection that is there. */
async function status({ host, gated: account }: FarHost, rttMs: number): Promise<void> {
  const port = await delayed(host.port, rttMs)
  const hosts = [host, ...(account === null ? [] : [account])].map((one) => ({ ...one, port }))
  const ssh = pool(hosts)
  const connection = await connected(ssh, host.name)
  const rounds = await inTurn(
    {
      together: () => timed(() => Promise.all(READS.map((line) => execute(connection, line)))),
      'one after another': () => timed(() => inLine(READS, (line) => execute(connection, line))),
    },
    15,
  )
  const trips = rounds.of('together').map((ms) => ms / rttMs)
  print(`3 six reads together, round trips of ${rttMs} ms`, trips, ['<=', 2.6, 'count'])
  print('3 six reads together / one after another', rounds.ratios('together', 'one after another'), ['<=', 0.2])
  for (const { name } of hosts) await verbs(gated(ssh, name), rttMs)
}

/** The same count of verbs: each does far more than one read, and all of it on this machine. */
async function verbs(host: ReturnType<typeof gated>, rttMs: number): Promise<void> {
  const once = async () => sure(await host.run(ping, {}, { signal: never }))
  const { value } = await once()
  const rounds = await inTurn({
    one: () => timed(once),
    together: () => timed(() => Promise.all(READS.map(once))),
  })
  for (const count of ['one', 'together'] as const) {
    const trips = rounds.of(count).map((ms) => ms / rttMs)
    print(`  ${count === 'one' ? 'one ping' : 'six pings together'}, ${value.delivery} gate, round trips`, trips)
  }
}

/** From nothing to a connection, and to the end of a first command where there is one. */
async function connectMs(host: HostSettings, line: string | null = null): Promise<number> {
  const ssh = pool([host])
  const ms = await timed(async () => {
    const connection = await connected(ssh, host.name)
    if (line !== null) await execute(connection, line)
  })
  await ssh.close()
  return ms
}

async function inLine<T>(things: readonly T[], work: (thing: T) => Promise<unknown>): Promise<void> {
  for (const thing of things) await work(thing)
}

function coldSsh(folder: string): readonly string[] {
  return ['-F', join(folder, 'ssh_config'), '-o', 'ControlPath=none']
}
