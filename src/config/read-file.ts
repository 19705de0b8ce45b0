import { readFileSync, statSync } from 'node:fs'

export type FileRead =
  /** `shared`: others than its owner may write it */
  | { readonly kind: 'text'; readonly text: string; readonly shared: boolean }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly found: string }

/** Reads a small text file once, at the start. `most` is in bytes. */
export function readSmallFile(path: string, most: number): FileRead {
  try {
    const seen = statSync(path, { throwIfNoEntry: false })
    if (seen === undefined) return { kind: 'missing' }
    if (!seen.isFile()) return { kind: 'unreadable', found: seen.isDirectory() ? 'a directory' : 'no regular file' }
    if (seen.size > most) return { kind: 'unreadable', found: `${seen.size} bytes, more than ${most}` }
    return { kind: 'text', text: readFileSync(path, 'utf8'), shared: (seen.mode & GROUP_AND_OTHERS_WRITE) !== 0 }
  } catch (error) {
    return { kind: 'unreadable', found: `a file that cannot be read (${codeOf(error)})` }
  }
}

const GROUP_AND_OTHERS_WRITE = 0o022

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
