import { accessSync, constants, statfsSync } from 'node:fs'

/** What stands in the way of writing in a folder: its file system, or the rights of this user; null: nothing is seen. */
export interface Disk {
  readonly obstacle: 'read-only' | 'rights' | null
  /** bytes that this user may still write there; null: not told */
  readonly free: number | null
}

/** Looks at the disk of a folder, and writes nothing. */
export function diskOf(folder: string): Disk {
  return { obstacle: obstacleIn(folder), free: freeIn(folder) }
}

/** Root has every right, and writes on no file system that is mounted for reading. */
function obstacleIn(folder: string): Disk['obstacle'] {
  try {
    accessSync(folder, constants.W_OK)
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EROFS') return 'read-only'
    return code === 'EACCES' || code === 'EPERM' ? 'rights' : null
  }
}

/** A file system without blocks (some of FUSE and 9p, /proc) counts none, which says nothing of its space. */
function freeIn(folder: string): number | null {
  try {
    const { blocks, bavail, frsize, bsize } = statfsSync(folder)
    // counted in fragments, as POSIX has it; file systems that know none tell 0
    return blocks === 0 ? null : bavail * (frsize > 0 ? frsize : bsize)
  } catch {
    return null
  }
}
