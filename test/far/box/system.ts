import type { Disk } from './disk.ts'
import type { Network } from './network.ts'
import type { Units } from './units.ts'

/** What makes a Linux of the disk: its name, its sshd with the keys of the box, and the units that start with it. */
export async function layOutSystem(disk: Disk, given: SystemPlan): Promise<void> {
  const { name, network, hostKey, units } = given
  await disk.write('/etc/hostname', `${name}\n`)
  await disk.write('/etc/hosts', `127.0.0.1 localhost ${name}\n`)
  await disk.write('/etc/systemd/journald.conf.d/box.conf', JOURNALD)
  await disk.write('/etc/ssh/ssh_host_ed25519_key', hostKey, { mode: 0o600 })
  await disk.write('/etc/ssh/sshd_config', sshdConfig(network))
  await disk.link('/lib/systemd/system/multi-user.target', `${UNITS}/default.target`)
  for (const [wanted, by] of WANTED) await disk.link(`/lib/systemd/system/${wanted}`, `${UNITS}/${by}.wants/${wanted}`)
  for (const [unit, text] of Object.entries({ 'ssh.service': SSH, ...units })) {
    await disk.write(`${UNITS}/${unit}`, text)
    if (text.includes('[Install]')) await disk.link(`${UNITS}/${unit}`, `${UNITS}/multi-user.target.wants/${unit}`)
  }
}

interface SystemPlan {
  readonly name: string
  readonly network: Network
  /** private key of the host */
  readonly hostKey: string
  readonly units: Units
}

const UNITS = '/etc/systemd/system'

/** All that starts of what packages brought. The rest would need hardware, or seconds. */
const WANTED = [
  ['systemd-journald.service', 'sysinit.target'],
  ['systemd-journald.socket', 'sockets.target'],
  ['systemd-journald-dev-log.socket', 'sockets.target'],
  ['dbus.socket', 'sockets.target'],
] as const

const JOURNALD = `[Journal]
Storage=volatile
RuntimeMaxUse=32M
ForwardToConsole=no
`

/** `KillMode=process` and the reload as Debian has them: sessions outlive a restart of sshd. */
const SSH = `[Unit]
Description=OpenBSD Secure Shell server
[Service]
RuntimeDirectory=sshd
RuntimeDirectoryMode=0755
ExecStart=/usr/sbin/sshd -D
ExecReload=/usr/sbin/sshd -t
ExecReload=/bin/kill -HUP $MAINPID
KillMode=process
Restart=on-failure
[Install]
WantedBy=multi-user.target
`

/** No PAM: a login then costs no session and shows no message of the day. */
function sshdConfig({ kind, address, port }: Network): string {
  return `Include /etc/ssh/sshd_config.d/*.conf
Port ${port}
ListenAddress ${kind === 'own' ? '0.0.0.0' : address}
HostKey /etc/ssh/ssh_host_ed25519_key
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
PrintMotd no
LogLevel VERBOSE
MaxStartups 100
Subsystem sftp internal-sftp
`
}
