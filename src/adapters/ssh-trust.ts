import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { HostSettings } from '../domain/target.ts'
import { readKnownHosts } from './known-hosts.ts'
import { isPublicKey, keyType } from './ssh-fingerprint.ts'
import type { Entry } from './ssh-trust-failure.ts'
import {
  brokenLine,
  changedKey,
  noKnownHosts,
  noPublicKey,
  revokedKey,
  unknownKey,
  unreadableKnownHosts,
} from './ssh-trust-failure.ts'

/** What is known about a host's identity before it is dialled. */
export interface Trust {
  /** types of the trusted keys; the host is asked for one of these first (trust.md T14) */
  readonly types: readonly string[]
  /** Null where the key is trusted, else why it is refused, with the line that settles it. Pure: ssh2 asks on every rekey. */
  judge(key: Buffer): Failure | null
}

/**
 * Reads the known_hosts files or the pinned keys of a host. A file that does not exist is empty, unless all are missing; a
 * line about this host that cannot be judged is refused, since it may be a revocation.
 */
export async function trustOf(host: HostSettings): Promise<Outcome<Trust>> {
  const read = host.trust.from === 'files' ? await fromFiles(host, host.trust.paths) : pinned(host, host.trust.keys)
  if (!read.ok) return failed(read.failure)
  const trusted = read.value.filter((entry) => entry.role === 'key')
  return ok({
    types: [...new Set(trusted.map((entry) => entry.type))],
    judge: (key) => judge(host, read.value, key),
  })
}

async function fromFiles(host: HostSettings, paths: readonly string[]): Promise<Outcome<readonly Entry[]>> {
  const entries: Entry[] = []
  let found = 0
  for (const path of paths) {
    const { text, problem } = await readText(path)
    if (problem !== null) return failed(unreadableKnownHosts(host, path, problem))
    if (text !== null) found += 1
    const { keys, broken } = readKnownHosts(text ?? '', host.address, host.port)
    const [first] = broken
    if (first !== undefined) return failed(brokenLine(host, path, first))
    entries.push(...keys.map((key) => ({ ...key, place: `${path} line ${key.line}`, file: path })))
  }
  if (found > 0) return ok(entries)
  return failed(noKnownHosts(host, paths, await exists(dirname(paths[0] ?? ''))))
}

/** The text is null where there is no such file. */
async function readText(path: string): Promise<{ text: string | null; problem: string | null }> {
  try {
    return { text: await readFile(path, 'utf8'), problem: null }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    return { text: null, problem: code === 'ENOENT' ? null : code }
  }
}

async function exists(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory()
  } catch {
    return false
  }
}

function pinned(host: HostSettings, lines: readonly string[]): Outcome<readonly Entry[]> {
  const entries: Entry[] = []
  for (const [index, text] of lines.entries()) {
    const [type = '', base64 = ''] = text.trim().split(/\s+/)
    const key = Buffer.from(base64, 'base64')
    const place = `hosts.${host.name}.host_key${lines.length === 1 ? '' : `, key ${index + 1}`}`
    if (!isPublicKey(key) || keyType(key) !== type) return failed(noPublicKey(host, place))
    entries.push({ type, key, role: 'key', line: index + 1, place, file: null })
  }
  return ok(entries)
}

function judge(host: HostSettings, entries: readonly Entry[], key: Buffer): Failure | null {
  const same = entries.filter((entry) => entry.key.equals(key))
  const revoked = same.find((entry) => entry.role === 'revoked')
  if (revoked !== undefined) return revokedKey(host, revoked, key)
  if (same.some((entry) => entry.role === 'key')) return null
  const other = entries.find((entry) => entry.role === 'key' && entry.type === keyType(key))
  return other === undefined ? unknownKey(host, entries, key) : changedKey(host, other, key)
}
