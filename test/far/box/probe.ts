import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { startBox } from './box.ts'

/** `systemd 252`, of a box that has just booted here; throws with the reason where none can. */
export async function systemdVersion(): Promise<string> {
  if (process.platform !== 'linux') throw new Error(`it runs on Linux only, this is ${process.platform}`)
  const uid = process.getuid?.() ?? -1
  if (uid !== 0) throw new Error(`not root (uid ${uid})`)
  for (const [program, from] of PROGRAMS) {
    if (!(await isInstalled(program))) throw new Error(`${program} is not there: install ${from}`)
  }
  const box = await startBox()
  const { stdout } = await box.exec('systemctl --version')
  await box.stop()
  return /^systemd \d+/.exec(stdout)?.[0] ?? 'systemd'
}

const PROGRAMS = [
  ['systemctl', 'systemd'],
  ['dbus-daemon', 'dbus'],
  ['sshd', 'openssh-server'],
  ['sudo', 'sudo'],
  ['ip', 'iproute2'],
  ['nsenter', 'util-linux'],
  ['ps', 'procps'],
] as const

async function isInstalled(program: string): Promise<boolean> {
  const places = ['/usr/bin', '/usr/sbin', '/bin', '/sbin'].map((folder) =>
    access(join(folder, program), constants.X_OK),
  )
  return Promise.any(places).then(
    () => true,
    () => false,
  )
}
