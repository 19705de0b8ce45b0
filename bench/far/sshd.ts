import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { HostSettings } from '../../src/domain/target.ts'

const PROGRAM = '/usr/sbin/sshd'

/** A real sshd on 127.0.0.1 with keys of its own, gone when this process ends; null where this machine has none. */
export async function startSshd(): Promise<FarHost | null> {
  if (!existsSync(PROGRAM)) return null
  const folder = mkdtempSync(join(tmpdir(), 'pilotflame-bench-'))
  chmodSync(folder, 0o711)
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  for (const name of ['hostkey', 'key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  copyFileSync(join(folder, 'key.pub'), join(folder, 'authorized_keys'))
  const port = await freePort()
  const user = userInfo().username
  writeFileSync(join(folder, 'sshd_config'), serverLines(folder, port))
  writeFileSync(join(folder, 'known_hosts'), `[127.0.0.1]:${port} ${readFileSync(join(folder, 'hostkey.pub'), 'utf8')}`)
  writeFileSync(join(folder, 'ssh_config'), clientLines(folder, port, user))
  const child = spawn(PROGRAM, ['-D', '-e', '-f', join(folder, 'sshd_config')], { stdio: 'ignore' })
  process.once('exit', () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  while (!(await greets(port))) await sleep(50)
  return {
    folder,
    host: {
      name: 'bench',
      address: '127.0.0.1',
      port,
      user,
      key: { from: 'file', path: join(folder, 'key'), passphrase: null },
      trust: { from: 'files', paths: [join(folder, 'known_hosts')] },
      jump: null,
    },
  }
}

export interface FarHost {
  /** holds `ssh_config` with a host `bench`, and the control socket of its master */
  readonly folder: string
  readonly host: HostSettings
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

function serverLines(folder: string, port: number): string {
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${folder}/hostkey`,
    `PidFile ${folder}/sshd.pid`,
    `AuthorizedKeysFile ${folder}/authorized_keys`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'MaxStartups 100',
    '',
  ].join('\n')
}

function clientLines(folder: string, port: number, user: string): string {
  return [
    'Host bench',
    'HostName 127.0.0.1',
    `Port ${port}`,
    `User ${user}`,
    `IdentityFile ${folder}/key`,
    'IdentitiesOnly yes',
    `UserKnownHostsFile ${folder}/known_hosts`,
    'StrictHostKeyChecking yes',
    'BatchMode yes',
    `ControlPath ${folder}/mux`,
    '',
  ].join('\n')
}

/** Whether the port answers with an SSH banner. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const give = (greeted: boolean) => {
      socket.destroy()
      resolve(greeted)
    }
    socket.once('data', (banner) => give(banner.toString().startsWith('SSH-2.0-')))
    socket.once('error', () => give(false))
    socket.once('close', () => give(false))
  })
}
