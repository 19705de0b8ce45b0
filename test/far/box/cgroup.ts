import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The cgroup of a box: all that runs in it is below, whatever else became of it. */
export async function cgroupOf(box: string): Promise<string> {
  const unified = '/sys/fs/cgroup/unified'
  const root = await access(unified).then(
    () => unified,
    () => '/sys/fs/cgroup',
  )
  return join(root, box)
}

export async function makeCgroup(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
}

/** PID 1 of the box as this machine counts; null until it has come up. */
export async function pidOne(path: string): Promise<number | null> {
  const text = await readFile(join(path, 'init.scope/cgroup.procs'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return pid > 0 ? pid : null
}

/** Kills what is left in it and takes it away, depth first. */
export async function removeCgroup(path: string): Promise<void> {
  await writeFile(join(path, 'cgroup.kill'), '1').catch(() => {})
  const deadline = performance.now() + 5000
  // the kernel lets go of a killed process a moment later
  while (!(await removed(path))) {
    if (performance.now() > deadline) throw new Error(`${path} is still busy`)
    await delay(10)
  }
}

async function removed(path: string): Promise<boolean> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null)
  if (entries === null) return true
  for (const entry of entries) if (entry.isDirectory()) await removed(join(path, entry.name))
  return rmdir(path).then(
    () => true,
    () => false,
  )
}
