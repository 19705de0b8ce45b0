import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { GateRun } from './gate-world.ts'
import { notRoot, run } from './gate-world.ts'

/**
 * This machine with throw-away copies of the folders that `setup` writes to: a mount namespace of its own, in which accounts
 * and sudoers lines are made for real and leave nothing behind.
 */
export interface Machine {
  run(command: readonly string[], input?: string): Promise<GateRun>
  /** every file below those folders with its mode and owner, its size, and its content where that is another one than here */
  files(): Promise<readonly string[]>
}

const SETUP = fileURLToPath(new URL('../../deploy/host/setup', import.meta.url))

const COPIED = ['/etc', '/home', '/usr/local', '/var/lib']

const NEEDED = [
  '/usr/bin/unshare',
  '/usr/bin/nsenter',
  '/usr/bin/setpriv',
  '/usr/sbin/useradd',
  '/usr/sbin/visudo',
  '/usr/sbin/sshd',
]

/** Why there can be no such machine here, or null. */
export const noMachine =
  notRoot ?? NEEDED.filter((tool) => !existsSync(tool)).map((tool) => `${tool} is not installed`)[0] ?? null

/** It goes with the test. */
export async function openMachine(reason: string | null): Promise<Machine> {
  if (reason !== null) throw new Error(`PILOTFLAME_FARSIDE=require, but ${reason}`)
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-machine-'))
  const script = [
    'set -e',
    `mount -t tmpfs -o mode=755 tmpfs ${folder}`,
    `for one in ${COPIED.join(' ')}; do`,
    `  mkdir -p ${folder}$one/upper ${folder}$one/work ${folder}$one/lower`,
    `  mount --bind $one ${folder}$one/lower`,
    `  mount -t overlay overlay -o lowerdir=$one,upperdir=${folder}$one/upper,workdir=${folder}$one/work $one`,
    'done',
    'echo ready',
    'exec sleep 600',
  ]
  const holder = spawn('/usr/bin/unshare', ['--mount', '--propagation', 'private', '/bin/sh', '-c', script.join('\n')])
  const ended = once(holder, 'exit')
  onTestFinished(async () => {
    holder.kill('SIGKILL')
    await ended
    await rmdir(folder)
  })
  let said = ''
  holder.stderr.on('data', (chunk) => {
    said += String(chunk)
  })
  await Promise.race([once(holder.stdout, 'data'), ended])
  if (holder.exitCode !== null) throw new Error(`no machine: ${said}`)
  const inside = ['--target', String(holder.pid), '--mount', '--']
  const machine: Machine = {
    run: (command, input) => run('/usr/bin/nsenter', [...inside, ...command], ENV, input ?? null),
    async files() {
      const facts = await machine.run(['/usr/bin/find', ...COPIED, '-xdev', ...FACTS])
      const sums = await machine.run(['/bin/sh', '-c', SUMS, 'sh', folder, ...COPIED])
      // what useradd and userdel keep as copies and locks
      return `${facts.stdout}${sums.stdout}`
        .split('\n')
        .toSorted()
        .filter((line) => !/^\/etc\/(?:(?:passwd|group|shadow|gshadow|subuid|subgid)-|\.pwd\.lock)? /.test(line))
    },
  }
  return machine
}

/** The size of a folder is its file system's own affair. */
const FACTS = ['(', '-type', 'd', '-printf', '%p %m %u %g\\n', ')', '-o', '-printf', '%p %m %u %g %s %l\\n']

/** Of the whole folders it would take seconds: only what was written can differ. */
const SUMS = `top=$1; shift
for one; do
  cd $top$one/upper && find . -type f | while read -r file; do
    cmp -s "../lower/$file" "$file" || echo "$one\${file#.} $(sha256sum <"$file")"
  done
done`

const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' }

/** Runs deploy/host/setup there. */
export function setup(machine: Machine, options: readonly string[]): Promise<GateRun> {
  return machine.run([SETUP, ...options])
}

/** Public key of nobody. */
export const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIICmWrYtbPgDnkLJb0HFvVyTBQKCo9gkuzJcsGVNBu63'

export const OPTIONS = ['--key', KEY, '--port', '30000', '--unit', 'main=sglang.service', '--user', 'pilotflame-test']
