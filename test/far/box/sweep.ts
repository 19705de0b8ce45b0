import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cgroupOf, removeCgroup } from './cgroup.ts'

/** Names of boxes, of their folders and of their cgroups begin so. */
export const BOX_PREFIX = 'pilotflame-box-'

const OWNER = 'owner'

/** Says in the folder of a box whose it is. */
export async function claim(folder: string): Promise<void> {
  await writeFile(join(folder, OWNER), `${process.pid} ${await startOf(process.pid)}`)
}

/** Takes away what runs that ended without cleaning up have left. Their processes and mounts went with them. */
export async function sweep(folder = tmpdir()): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(BOX_PREFIX) || (await isAlive(join(folder, name)))) continue
    await removeCgroup(await cgroupOf(name))
    await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** A pid alone is not enough: it may be another process by now. One without an owner is being made at this moment. */
async function isAlive(box: string): Promise<boolean> {
  const text = await readFile(join(box, OWNER), 'utf8').catch(() => null)
  if (text === null) return true
  const [pid = '', started] = text.split(' ')
  return (await startOf(Number(pid))) === started
}

/** When a process started, in clock ticks since the machine booted; null where there is none. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // the name in brackets may hold blanks; the start is field 22
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}
