import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { HostSettings } from '../../src/domain/target.ts'
import { freePort, start } from './process.ts'

/** A real sshd on 127.0.0.1 with keys of its own. */
export interface Sshd {
  /** settings that get in: the right key, the right pinned host key */
  readonly host: HostSettings
  log(): string
  stop(): Promise<void>
}

const PROGRAM = '/usr/sbin/sshd'

/** `OpenSSH_9.2p1`; throws with the reason where this machine has no sshd. */
export async function sshdVersion(): Promise<string> {
  const { stderr } = await promisify(execFile)(PROGRAM, ['-V']).catch((error: { code?: string; stderr?: string }) => {
    if (error.code === 'ENOENT') throw new Error(`${PROGRAM} is not there: install openssh-server`)
    // before 9.x there is no -V: it says so, and its version with it
    return { stderr: error.stderr ?? '' }
  })
  return /OpenSSH_\w+(?:\.\w+)?/.exec(stderr)?.[0] ?? 'OpenSSH'
}

/** Works as root and as an ordinary user, who then is the only one who can log in. `lines` come first and so win. */
export async function startSshd(lines: readonly string[] = []): Promise<Sshd> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-sshd-'))
  const port = await freePort()
  await chmod(folder, 0o711)
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true })
  const hostKeyLine = await newKey(join(folder, 'hostkey'))
  await newKey(join(folder, 'key'))
  await copyFile(join(folder, 'key.pub'), join(folder, 'authorized_keys'))
  const file = join(folder, 'sshd_config')
  await writeFile(file, [...lines, ...configuration(folder, port)].join('\n'))
  const running = await start({ file: PROGRAM, args: ['-D', '-e', '-f', file] }, () => greets(port))
  return {
    host: {
      name: 'real-sshd',
      address: '127.0.0.1',
      port,
      user: userInfo().username,
      key: { from: 'text', text: await readFile(join(folder, 'key'), 'utf8'), passphrase: null },
      trust: { from: 'pinned', keys: [hostKeyLine] },
      jump: null,
      gate: null,
    },
    log: running.output,
    async stop() {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Makes an ed25519 key pair and gives its public line without the comment. */
export async function newKey(path: string): Promise<string> {
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', path])
  return (await readFile(`${path}.pub`, 'utf8')).trim()
}

function configuration(folder: string, port: number): readonly string[] {
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
    'KbdInteractiveAuthentication no',
    'AllowTcpForwarding yes',
    'PrintMotd no',
    'LogLevel VERBOSE',
    'MaxStartups 100',
    '',
  ]
}

/** Whether the port answers with an SSH banner. */
export function greets(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    socket.once('data', (banner) => resolve(banner.toString().startsWith('SSH-2.0-')))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.on('data', () => socket.destroy())
  })
}
