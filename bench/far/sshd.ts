import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { HostSettings } from '../../src/domain/target.ts'
import { endWithUs } from './program.ts'

const PROGRAM = '/usr/sbin/sshd'

/** A real sshd on loopback with keys of its own, gone when this process ends; null where this machine has none. */
export async function startSshd(addresses: readonly string[] = ['127.0.0.1']): Promise<FarHost | null> {
  if (!existsSync(PROGRAM)) return null
  const folder = mkdtempSync(join(tmpdir(), 'pilotflame-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o711)
  mkdirSync(join(folder, 'home'))
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  for (const name of ['hostkey', 'key', 'gatekey'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', join(folder, name)])
  const port = await freePort()
  const user = userInfo().username
  const gate = forcedGate(folder)
  const text = (name: string) => readFileSync(join(folder, name), 'utf8').trim()
  const gateLine = gate === null ? '' : `restrict,command="${gate}" ${text('gatekey.pub')}\n`
  writeFileSync(join(folder, 'authorized_keys'), `${text('key.pub')}\n${gateLine}`)
  writeFileSync(join(folder, 'known_hosts'), `${ALIAS} ${text('hostkey.pub')}\n`)
  writeFileSync(join(folder, 'sshd_config'), serverLines(folder, port))
  writeFileSync(join(folder, 'ssh_config'), clientLines(folder, port, user))
  for (let first = 0; first < addresses.length; first += MOST_ADDRESSES)
    serve(folder, addresses.slice(first, first + MOST_ADDRESSES))
  for (const address of addresses) while (!(await greets(port, address))) await sleep(50)
  const host: HostSettings = {
    name: 'bench',
    address: '127.0.0.1',
    port,
    user,
    key: { from: 'file', path: join(folder, 'key'), passphrase: null },
    trust: { from: 'pinned', keys: [text('hostkey.pub')] },
    jump: null,
    gate: null,
  }
  const key = { ...host.key, path: join(folder, 'gatekey') }
  return { folder, host, gated: gate === null ? null : { ...host, name: 'gated', key } }
}

export interface FarHost {
  /** holds `ssh_config` for the host `bench` and for every address, and the control sockets of their masters */
  readonly folder: string
  readonly host: HostSettings
  /** the same with a key for the gate alone; null where we are not root, whose file it must be */
  readonly gated: HostSettings | null
}

export function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** sshd refuses to listen on more than 16. */
const MOST_ADDRESSES = 16

const ALIAS = 'bench'

function serve(folder: string, addresses: readonly string[]): void {
  const listen = addresses.flatMap((address) => ['-o', `ListenAddress=${address}`])
  const child = spawn(PROGRAM, ['-D', '-e', '-f', join(folder, 'sshd_config'), ...listen], { stdio: 'ignore' })
  endWithUs(child)
}

/** The gate as the forced command of `gatekey`. */
function forcedGate(folder: string): string | null {
  if (process.getuid?.() !== 0) return null
  const path = join(folder, 'pilotflame-gate')
  writeFileSync(path, readFileSync(join(import.meta.dirname, '../../deploy/host/pilotflame-gate')))
  chmodSync(path, 0o755)
  return path
}

/** A home without login scripts: a version manager in `.bashrc` costs more than all that is measured (performance.md 12). */
function serverLines(folder: string, port: number): string {
  return [
    `Port ${port}`,
    `HostKey ${folder}/hostkey`,
    'PidFile none',
    `AuthorizedKeysFile ${folder}/authorized_keys`,
    `SetEnv HOME=${folder}/home`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'MaxStartups 500',
    '',
  ].join('\n')
}

/** The key exchange is that of the product: the usual one of OpenSSH costs five times the CPU (performance.md 4). */
function clientLines(folder: string, port: number, user: string): string {
  return [
    'Host bench',
    'HostName 127.0.0.1',
    'Host *',
    `Port ${port}`,
    `User ${user}`,
    `IdentityFile ${folder}/key`,
    'IdentitiesOnly yes',
    `HostKeyAlias ${ALIAS}`,
    `UserKnownHostsFile ${folder}/known_hosts`,
    'StrictHostKeyChecking yes',
    'BatchMode yes',
    'KexAlgorithms curve25519-sha256',
    `ControlPath ${folder}/mux-%h`,
    '',
  ].join('\n')
}

/** Whether the port answers with an SSH banner. */
function greets(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address)
    const give = (greeted: boolean) => {
      socket.destroy()
      resolve(greeted)
    }
    socket.once('data', (banner) => give(banner.toString().startsWith('SSH-2.0-')))
    socket.once('error', () => give(false))
    socket.once('close', () => give(false))
  })
}
