import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Puts a process back to full speed and removes its cgroup; call it once the process has gone. */
export type Unpace = () => Promise<void>

/**
 * Slows a process to a lifelike pace, about 350 tokens a second, by a CPU quota of 1 ms in every 10 ms.
 * Null where cgroups cannot be written: not root, or a container without them.
 */
export async function pace(pid: number): Promise<Unpace | null> {
  for (const { root, quota } of HIERARCHIES) {
    const group = join(root, `pilotflame-${pid}`)
    try {
      await mkdir(group)
    } catch {
      continue
    }
    try {
      for (const [file, value] of quota) await writeFile(join(group, file), value)
      await writeFile(join(group, 'cgroup.procs'), String(pid))
      return () => rmdir(group)
    } catch {
      await rmdir(group)
    }
  }
  return null
}

/** Version 1 with its cpu controller, then version 2. */
const HIERARCHIES = [
  {
    root: '/sys/fs/cgroup/cpu',
    quota: [
      ['cpu.cfs_period_us', '10000'],
      ['cpu.cfs_quota_us', '1000'],
    ],
  },
  { root: '/sys/fs/cgroup', quota: [['cpu.max', '1000 10000']] },
] as const
