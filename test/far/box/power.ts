import { setTimeout as delay } from 'node:timers/promises'
import { start } from '../process.ts'
import { greets } from '../sshd.ts'
import { cgroupOf, makeCgroup, pidOne, removeCgroup } from './cgroup.ts'
import { diesWithUs, MACHINE } from './disk.ts'
import { execIn } from './exec.ts'
import type { Network } from './network.ts'

/** A machine that runs. */
export interface Power {
  /** its PID 1, as this machine counts */
  readonly pid: number
  /** Pulls the plug, and waits until nothing of it runs any more. */
  off(): Promise<void>
}

/** Boots from the disk in `folder` until systemd has started all and sshd answers; throws with its log where it does not. */
export async function powerOn(given: {
  readonly name: string
  readonly folder: string
  /** the process that holds the disk */
  readonly disk: number
  readonly network: Network
  /** folders of this machine that it sees at the same place; the overlay lacks what is on another volume */
  readonly show: readonly string[]
}): Promise<Power> {
  const { name, folder, disk, network, show } = given
  await using undo = new AsyncDisposableStack()
  const cgroup = await cgroupOf(name)
  await makeCgroup(cgroup)
  undo.defer(() => removeCgroup(cgroup))
  const boot = [MACHINE, 'boot', folder, cgroup, network.kind, ...show]
  const command = diesWithUs(['nsenter', '-t', String(disk), '--mount', '--', ...boot])
  const unshare = await start(command, async () => (await pidOne(cgroup)) !== null)
  undo.defer(() => unshare.stop())
  const pid = await pidOne(cgroup)
  if (pid === null) throw new Error(`${name} ended while it booted:\n${unshare.output()}`)
  // its end is the end of all in the box, and of unshare, which waits for it
  undo.defer(() => {
    process.kill(pid, 'SIGKILL')
  })
  await network.plug(pid)
  undo.defer(() => network.unplug())
  await untilUp(pid, network)
  const running = undo.move()
  return { pid, off: () => running.disposeAsync() }
}

async function untilUp(pid: number, { address, port }: Network): Promise<void> {
  const deadline = performance.now() + 15_000
  let state = ''
  while (!UP.includes(state) || !(await greets(port, address))) {
    if (performance.now() > deadline) {
      const { stdout } = await execIn(pid, 'systemctl --no-pager list-jobs; journalctl --no-pager -n 40')
      throw new Error(`the box is not up: systemd says ${state}\n${stdout}`)
    }
    await delay(10)
    state = (await execIn(pid, 'systemctl is-system-running')).stdout.trim()
  }
}

/** What systemd says once all that starts with it has been started, or has failed. */
const UP = ['running', 'degraded']
