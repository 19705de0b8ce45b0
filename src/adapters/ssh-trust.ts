import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { HostSettings } from '../domain/target.ts'
import type { KnownKey } from './known-hosts.ts'
import { hostName, knownKeys } from './known-hosts.ts'
import { hostThing } from './ssh-failure.ts'

/** What is known about a host's identity before it is dialled. */
export interface Trust {
  /** types of the trusted keys; the host is asked for one of these first (trust.md T14) */
  readonly types: readonly string[]
  /** Null where the key is trusted, else why it is refused, with the line that settles it. Pure: ssh2 asks on every rekey. */
  judge(key: Buffer): Failure | null
}

/** Reads the known_hosts files or the pinned keys of a host. A file that does not exist is empty, unless all are missing. */
export async function trustOf(host: HostSettings): Promise<Outcome<Trust>> {
  const read = host.trust.from === 'files' ? await fromFiles(host, host.trust.paths) : pinned(host, host.trust.keys)
  if (!read.ok) return failed(read.failure)
  const trusted = read.value.filter((entry) => entry.role === 'key')
  return ok({
    types: [...new Set(trusted.map((entry) => entry.type))],
    judge: (key) => judge(host, read.value, key),
  })
}

/** `SHA256:…`, as ssh-keygen prints it. */
export function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

/** The type that a key in wire format names: `ssh-ed25519`. */
export function keyType(key: Buffer): string {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0
  return length > 0 && length <= 64 ? key.subarray(4, 4 + length).toString('latin1') : 'unknown'
}

type Entry = KnownKey & {
  /** where it is written: `/home/bot/.ssh/known_hosts line 3` */
  readonly from: string
}

async function fromFiles(host: HostSettings, paths: readonly string[]): Promise<Outcome<readonly Entry[]>> {
  const entries: Entry[] = []
  let found = 0
  for (const path of paths) {
    const file = await readText(path)
    if (file.problem !== null && file.problem !== 'missing') return failed(unreadable(host, path, file.problem))
    if (file.problem !== 'missing') found += 1
    const keys = knownKeys(file.text, host.address, host.port)
    entries.push(...keys.map((key) => ({ ...key, from: `${path} line ${key.line}` })))
  }
  if (found === 0)
    return failed(unreadable(host, paths.join(', '), paths.length === 0 ? 'no file is named' : 'missing'))
  return ok(entries)
}

async function readText(path: string): Promise<{ text: string; problem: string | null }> {
  try {
    return { text: await readFile(path, 'utf8'), problem: null }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    return { text: '', problem: code === 'ENOENT' ? 'missing' : code }
  }
}

function unreadable(host: HostSettings, path: string, problem: string): Failure {
  return {
    kind: 'hostkey-file',
    thing: `known_hosts of ${hostThing(host)}`,
    observed: `${path || 'the list of files'}: ${problem === 'missing' ? 'no such file' : problem}`,
    next: `make it with: ${scan(host)} >> known_hosts (then compare the fingerprint with the host's own), or correct the path`,
  }
}

function pinned(host: HostSettings, lines: readonly string[]): Outcome<readonly Entry[]> {
  const entries: Entry[] = []
  for (const [index, text] of lines.entries()) {
    const [type = '', base64 = ''] = text.trim().split(/\s+/)
    const key = Buffer.from(base64, 'base64')
    if (keyType(key) !== type) return failed(notAKey(host, index + 1))
    entries.push({ type, key, role: 'key', line: index + 1, from: `pinned key ${index + 1}` })
  }
  return ok(entries)
}

function notAKey(host: HostSettings, position: number): Failure {
  return {
    kind: 'hostkey-file',
    thing: `pinned key ${position} of ${hostThing(host)}`,
    observed: 'is no public key line',
    next: `write it as: ssh-ed25519 AAAA… (one line of: ${scan(host)}, without the host name)`,
  }
}

function judge(host: HostSettings, entries: readonly Entry[], key: Buffer): Failure | null {
  const same = entries.filter((entry) => entry.key.equals(key))
  const revoked = same.find((entry) => entry.role === 'revoked')
  if (revoked !== undefined) return refusedRevoked(host, revoked, key)
  if (same.some((entry) => entry.role === 'key')) return null
  const other = entries.find((entry) => entry.role === 'key' && entry.type === keyType(key))
  return other === undefined ? refusedUnknown(host, entries, key) : refusedChanged(host, other, key)
}

function refusedRevoked(host: HostSettings, entry: Entry, key: Buffer): Failure {
  return {
    kind: 'hostkey-revoked',
    thing: hostThing(host),
    observed: `shows a revoked host key: ${named(key)} (${entry.from})`,
    next: `do not connect; give the host a new key, then add it. Look with: ${find(host, entry)}`,
  }
}

function refusedUnknown(host: HostSettings, entries: readonly Entry[], key: Buffer): Failure {
  const others = entries.filter((entry) => entry.role === 'key').map((entry) => entry.type)
  const authority = entries.some((entry) => entry.role === 'authority')
  const known = others.length > 0 ? ` (known are only keys of type ${others.join(', ')})` : ''
  const ignored = authority ? ' (a @cert-authority line matches; certificates are not supported here)' : ''
  return {
    kind: 'hostkey-unknown',
    thing: hostThing(host),
    observed: `its host key is not known: ${named(key)}${known}${ignored}`,
    next: `compare it with: ${check(host)}; if it is the host's own, ${addLine(host, key)}`,
  }
}

function refusedChanged(host: HostSettings, old: Entry, key: Buffer): Failure {
  const forget =
    host.trust.from === 'files' ? `ssh-keygen -R '${hostName(host.address, host.port)}' -f FILE, then ` : ''
  return {
    kind: 'hostkey-changed',
    thing: hostThing(host),
    observed: `its host key changed: now ${named(key)}, known is ${fingerprint(old.key)} (${old.from})`,
    next:
      `find out why first: a new installation, or somebody in between. Compare with: ${check(host)} and ` +
      `${find(host, old)}; if the change is right: ${forget}${addLine(host, key)}`,
  }
}

function named(key: Buffer): string {
  return `${keyType(key)} ${fingerprint(key)}`
}

function addLine(host: HostSettings, key: Buffer): string {
  const line = `${keyType(key)} ${key.toString('base64')}`
  if (host.trust.from === 'pinned') return `pin this key: ${line}`
  return `add this line to ${host.trust.paths[0] ?? 'known_hosts'}: ${hostName(host.address, host.port)} ${line}`
}

function scan(host: HostSettings): string {
  return `ssh-keyscan -p ${host.port} ${host.address}`
}

function check(host: HostSettings): string {
  return `${scan(host)} 2>/dev/null | ssh-keygen -lf -`
}

function find(host: HostSettings, entry: Entry): string {
  const file = host.trust.from === 'files' ? entry.from.replace(/ line \d+$/, '') : '~/.ssh/known_hosts'
  return `ssh-keygen -l -F '${hostName(host.address, host.port)}' -f ${file}`
}
