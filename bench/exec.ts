import { join } from 'node:path'

import { ping } from '../src/domain/verbs/index.ts'
import { connected, execute, gated, never, pool, sure } from './far/ours.ts'
import { master, output, parties, timed } from './far/program.ts'
import type { FarHost } from './far/sshd.ts'
import { startSshd } from './far/sshd.ts'
import { inTurn, print, skipped } from './measure.ts'

/** Row 1: one small command on a host that we are connected to, and what the gate adds to it. */

const ROUNDS = 30

const far = await startSshd()
if (far === null) skipped('1 exec', '/usr/sbin/sshd is not there')
else {
  await exec(far)
  await verb(far)
}
console.log(`  ${parties(['ssh -V', 'bash --version'])}`)
console.log('  the account is the one that runs this, with an empty home, so without login scripts')
// the far programs end with us
process.exit()

async function exec({ folder, host }: FarHost): Promise<void> {
  const connection = await connected(pool([host]), host.name)
  const ssh = ['-F', join(folder, 'ssh_config')]
  await master(folder, 'bench', 'mux-127.0.0.1')
  const rounds = await inTurn(
    {
      exec: () => timed(() => execute(connection, 'true')),
      'local bash': () => timed(() => output('bash', ['-c', 'true'])),
      'ssh ControlMaster': () => timed(() => output('ssh', [...ssh, 'bench', 'true'])),
      'cold ssh': () => timed(() => output('ssh', [...ssh, '-o', 'ControlPath=none', 'bench', 'true'])),
    },
    ROUNDS,
  )
  print('1 exec / ssh over ControlMaster', rounds.ratios('exec', 'ssh ControlMaster'), ['<=', 0.5])
  print('1 exec / local bash', rounds.ratios('exec', 'local bash'), ['<=', 1.5])
  print('1 exec / cold ssh', rounds.ratios('exec', 'cold ssh'), ['<=', 1 / 20])
  for (const way of ['exec', 'local bash', 'ssh ControlMaster', 'cold ssh'] as const)
    print(`  exec, ${way}, ms`, rounds.of(way))
}

async function verb({ host, gated: account }: FarHost): Promise<void> {
  if (account === null) return skipped('  ping through the gate', 'only root can install it as root')
  const ssh = pool([host, account])
  const connection = await connected(ssh, host.name)
  const [quick, installed] = [gated(ssh, host.name), gated(ssh, account.name)]
  const rounds = await inTurn(
    {
      exec: () => timed(() => execute(connection, 'true')),
      quick: () => timed(async () => sure(await quick.run(ping, {}, { signal: never }))),
      installed: () => timed(async () => sure(await installed.run(ping, {}, { signal: never }))),
    },
    ROUNDS,
  )
  for (const delivery of ['quick', 'installed'] as const) {
    const { value } = sure(await { quick, installed }[delivery].run(ping, {}, { signal: never }))
    if (value.delivery !== delivery) throw new Error(`the ${delivery} gate is ${value.delivery}`)
    print(`  ping through the ${delivery} gate / exec of true`, rounds.ratios(delivery, 'exec'))
    print(`  ping through the ${delivery} gate, ms`, rounds.of(delivery))
  }
}
