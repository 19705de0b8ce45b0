import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { SshPool } from '../src/adapters/ssh-pool.ts'
import type { HostSettings } from '../src/domain/target.ts'
import { connected, execute, fleet, pool } from './far/ours.ts'
import { peersOf } from './far/peers.ts'
import { isThere, master, memory, parties, timed } from './far/program.ts'
import { startSshd } from './far/sshd.ts'
import type { Target } from './measure.ts'
import { inTurn, print, skipped } from './measure.ts'

/** Rows 4 to 6: one command on 100 hosts at once, what that costs here of the CPU, and the memory of a connection. */

const COMMAND = 'hostname'
const ADDRESSES = Array.from({ length: 100 }, (_, index) => `127.0.0.${index + 1}`)
/** How many connections a process holds when its memory is taken, at most five to an address. */
const COUNTS = [100, 500]
/** Each is a process of its own, and they hardly differ. */
const MEMORY_ROUNDS = 3
/** A bot runs for days: its code is compiled. */
const WARM_UP = 10
const PEERS = {
  xargs: 'xargs over ssh ControlMasters',
  pdsh: 'pdsh',
  clush: 'clush',
} as const

const far = await startSshd(ADDRESSES)
if (far === null) for (const row of ['4', '5', '6']) skipped(`${row} fan-out`, '/usr/sbin/sshd is not there')
else {
  const { folder, host } = far
  const hosts = fleet(host, ADDRESSES, ADDRESSES.length)
  const peers = peersOf(join(folder, 'ssh_config'), ADDRESSES, COMMAND)
  const masters = await Promise.all(ADDRESSES.map((address) => master(folder, address, `mux-${address}`)))
  const warm = pool(hosts)
  for (let time = 0; time < WARM_UP; time += 1) await everywhere(warm, hosts)
  await wall(warm, hosts, peers)
  await cpu(warm, hosts, peers)
  await warm.close()
  const pssKib = masters.map((pid) => memory(pid, 'Pss'))
  await connections(host, pssKib)
}
console.log(`  ${parties(['ssh -V', 'xargs --version', 'pdsh -V', 'clush --version'])}`)
console.log(
  '  OpenSSH, also under pdsh and clush, with curve25519-sha256; all hosts are this machine, which does their work too',
)
// the far programs end with us
process.exit()

type Peers = ReturnType<typeof peersOf>

async function wall(warm: SshPool, hosts: readonly HostSettings[], peers: Peers): Promise<void> {
  const peer = (name: keyof typeof PEERS) => (isThere(name) ? timed(peers[name]) : Promise.resolve(Number.NaN))
  const rounds = await inTurn(
    {
      warm: () => timed(() => everywhere(warm, hosts)),
      cold: () => timed(() => fromNothing(hosts)),
      local: () => timed(peers.local),
      xargs: () => peer('xargs'),
      pdsh: () => peer('pdsh'),
      clush: () => peer('clush'),
    },
    7,
  )
  const against = (way: 'warm' | 'cold', name: keyof typeof PEERS, target: Target | null = null) => {
    const title = `${target === null ? ' ' : '4'} 100 hosts, ${way} / ${PEERS[name]}`
    if (isThere(name)) print(title, rounds.ratios(way, name), target)
    else skipped(title, `${name} is not there`)
  }
  against('warm', 'xargs', ['<=', 0.5])
  against('warm', 'pdsh', ['<=', 0.1])
  print('4 100 hosts, warm / local bash', rounds.ratios('warm', 'local'), ['<=', 1.7])
  against('cold', 'pdsh', ['<=', 0.8])
  against('warm', 'clush')
  against('cold', 'clush')
  for (const way of ['warm', 'cold', 'local', 'xargs', 'pdsh', 'clush'] as const)
    print(`  100 hosts, ${way}, ms`, rounds.of(way))
}

async function cpu(warm: SshPool, hosts: readonly HostSettings[], peers: Peers): Promise<void> {
  const each = async (work: () => Promise<unknown>) => (await cpuMs(work)) / hosts.length
  const rounds = await inTurn(
    {
      warm: () => each(() => everywhere(warm, hosts)),
      cold: () => each(() => fromNothing(hosts)),
      ssh: peers.sshCpuMs,
    },
    7,
  )
  print('5 CPU of a host, warm / ssh process', rounds.ratios('warm', 'ssh'), ['<=', 1 / 20])
  print('5 CPU of a host, cold / ssh process', rounds.ratios('cold', 'ssh'), ['<=', 0.333])
  for (const way of ['warm', 'cold', 'ssh'] as const) print(`  CPU of a host, ${way}, ms`, rounds.of(way))
}

async function connections(host: HostSettings, pssKib: readonly number[]): Promise<void> {
  const grown = new Map(COUNTS.map((count) => [count, [] as number[]]))
  for (let round = 0; round < MEMORY_ROUNDS; round += 1) {
    const without = await rssKib(host, 0)
    for (const [count, each] of grown) each.push(((await rssKib(host, count)) - without) / count)
  }
  const master = pssKib.reduce((sum, one) => sum + one, 0) / pssKib.length
  for (const [count, each] of grown) {
    print(
      `6 connection of ${count} / PSS of an ssh master`,
      each.map((kib) => kib / master),
      ['<=', 0.1],
    )
    print(`6 connection of ${count}, KiB`, each, ['<=', 150])
  }
  print('  ssh master, PSS, KiB', pssKib)
}

/** Resident memory of a process with the product's pool and so many connections in it. */
async function rssKib(host: HostSettings, count: number): Promise<number> {
  const program = join(import.meta.dirname, 'far/pooled.ts')
  const args = ['--expose-gc', program, String(count), JSON.stringify(host), ADDRESSES.join(',')]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}

/** Connects where it is not connected yet. */
async function everywhere(ssh: SshPool, hosts: readonly HostSettings[]): Promise<void> {
  await Promise.all(hosts.map(async ({ name }) => execute(await connected(ssh, name), COMMAND)))
}

async function fromNothing(hosts: readonly HostSettings[]): Promise<void> {
  const ssh = pool(hosts)
  await everywhere(ssh, hosts)
  await ssh.close()
}

/** user + sys of this process */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
