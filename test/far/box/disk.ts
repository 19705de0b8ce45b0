import { access, chmod, chown, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { start } from '../process.ts'

/** The disk of a box: this machine's files as they are, and over them what the box writes, through its reboots. */
export interface Disk {
  /** the process that holds it, and with whose end it is gone */
  readonly pid: number
  read(path: string): Promise<string>
  write(path: string, text: string, given?: Rights): Promise<void>
  link(target: string, path: string): Promise<void>
  drop(): Promise<void>
}

interface Rights {
  /** 0o644 where nothing is said */
  readonly mode?: number
  /** uid and gid, of the last folder too where that is new; root's where nothing is said */
  readonly owner?: number
}

export const MACHINE = join(import.meta.dirname, 'machine.sh')

/** `folder` is new. Paths are absolute as the box sees them, and lead through no absolute link. */
export async function openDisk(folder: string): Promise<Disk> {
  await mkdir(join(folder, 'disk'))
  const hold = ['unshare', '--mount', '--propagation', 'private', MACHINE, 'disk', folder]
  const holder = await start(diesWithUs(hold), () => isThere(join(folder, 'ready')))
  const inBox = (path: string) => join(`/proc/${holder.pid}/root`, folder, 'disk/root', path)
  return {
    pid: holder.pid,
    read: (path) => readFile(inBox(path), 'utf8'),
    async write(path, text, { mode = 0o644, owner = 0 } = {}) {
      const made = await mkdir(inBox(dirname(path)), { recursive: true })
      if (made !== undefined) await chown(inBox(dirname(path)), owner, owner)
      await writeFile(inBox(path), text)
      await chmod(inBox(path), mode)
      await chown(inBox(path), owner, owner)
    },
    async link(target, path) {
      await mkdir(inBox(dirname(path)), { recursive: true })
      await symlink(target, inBox(path))
    },
    drop: () => holder.stop(),
  }
}

/** The command, made to be killed with whoever started it, however that ends. */
export function diesWithUs(command: readonly string[]) {
  return { file: 'setpriv', args: ['--pdeathsig', 'KILL', ...command] }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
