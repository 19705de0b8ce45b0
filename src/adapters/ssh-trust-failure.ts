import { dirname } from 'node:path'

import type { Failure } from '../domain/failure.ts'
import { hostThing } from '../domain/ssh/failure.ts'
import type { HostSettings } from '../domain/target.ts'
import type { BrokenLine, KnownKey } from './known-hosts.ts'
import { hostName } from './known-hosts.ts'
import { fingerprint, keyType } from './ssh-fingerprint.ts'

/** A key that is known for a host. */
export type Entry = KnownKey & {
  /** where it is written: `/home/bot/.ssh/known_hosts line 3`, `hosts.box.host_key` */
  readonly place: string
  /** the known_hosts file; null where it is pinned in the configuration */
  readonly file: string | null
}

/** None of the files exists; the first is the one to write. */
export function noKnownHosts(host: HostSettings, paths: readonly string[], hasFolder: boolean): Failure {
  const [path = ''] = paths
  const make = hasFolder ? '' : `mkdir -p ${quoted(dirname(path))} && `
  const scan = `ssh-keyscan -t ed25519 -p ${host.port} ${host.address} >> ${quoted(path)}`
  return {
    kind: 'hostkey-file',
    thing: `known_hosts of ${hostThing(host)}`,
    observed: `${paths.join(', ') || 'the list of files'}: no such file`,
    next:
      `write the key of the host into it (${make}${scan}), then compare its fingerprint (ssh-keygen -lf ${quoted(path)}) ` +
      `with ${ownConsole('ssh-ed25519')}; or correct hosts.${host.name}.known_hosts in pilotflame.yml`,
  }
}

export function unreadableKnownHosts(host: HostSettings, path: string, problem: string): Failure {
  return {
    kind: 'hostkey-file',
    thing: `known_hosts of ${hostThing(host)}`,
    observed: `${path}: cannot be read (${problem})`,
    next: `let the user that runs the bot read it, or correct hosts.${host.name}.known_hosts in pilotflame.yml`,
  }
}

export function brokenLine(host: HostSettings, path: string, { line, problem }: BrokenLine): Failure {
  return {
    kind: 'hostkey-file',
    thing: `known_hosts of ${hostThing(host)}`,
    observed: `${path} line ${line} may speak for this host and cannot be judged: ${problem}`,
    next: 'correct that line or take it out, then ask again; it is not passed over, since it may revoke a key',
  }
}

export function noPublicKey(host: HostSettings, place: string): Failure {
  return {
    kind: 'hostkey-file',
    thing: `${place} of ${hostThing(host)}`,
    observed: 'is no public key line',
    next: `write it in pilotflame.yml as ssh-ed25519 AAAA…, as the machine itself shows it (cat ${keyFile('ssh-ed25519')})`,
  }
}

export function revokedKey(host: HostSettings, { place }: Entry, key: Buffer): Failure {
  return {
    kind: 'hostkey-revoked',
    thing: hostThing(host),
    observed: `shows a revoked host key: ${named(key)} (${place})`,
    next: 'do not connect: give the machine a new host key (ssh-keygen -A after the old ones are gone), then add that one',
  }
}

export function unknownKey(host: HostSettings, entries: readonly Entry[], key: Buffer): Failure {
  const others = entries.filter((entry) => entry.role === 'key').map((entry) => entry.type)
  const authority = entries.some((entry) => entry.role === 'authority')
  const known = others.length > 0 ? ` (known are only keys of type ${others.join(', ')})` : ''
  const ignored = authority
    ? ' (a @cert-authority line matches; host certificates are not supported here, so the key itself must be known)'
    : ''
  const { trust } = host
  const add =
    trust.from === 'pinned' ? `add ${pin(host, key)}` : `add the key ${append(host, trust.paths[0] ?? '', key)}`
  return {
    kind: 'hostkey-unknown',
    thing: hostThing(host),
    observed: `its host key is not known: ${named(key)}${known}${ignored}`,
    next: `compare the fingerprint with ${ownConsole(keyType(key))}; only if they are equal, ${add}`,
  }
}

export function changedKey(host: HostSettings, old: Entry, key: Buffer): Failure {
  const replace =
    old.file === null
      ? `replace the old one by ${pin(host, key)}`
      : `take the old one out (ssh-keygen -R '${nameOf(host)}' -f ${quoted(old.file)}) and add the new one ${append(host, old.file, key)}`
  return {
    kind: 'hostkey-changed',
    thing: hostThing(host),
    observed: `its host key changed: now ${named(key)}, known is ${fingerprint(old.key)} (${old.place})`,
    next:
      'find out why first: a new installation, or somebody in between. Compare the new fingerprint with ' +
      `${ownConsole(keyType(key))}; only if they are equal, ${replace}`,
  }
}

function named(key: Buffer): string {
  return `${keyType(key)} ${fingerprint(key)}`
}

function lineOf(key: Buffer): string {
  return `${keyType(key)} ${key.toString('base64')}`
}

function nameOf({ address, port }: HostSettings): string {
  return hostName(address, port)
}

// No command ends a sentence: its full stop would be copied with the path or the key.

function append(host: HostSettings, path: string, key: Buffer): string {
  return `(echo '${nameOf(host)} ${lineOf(key)}' >> ${quoted(path)}), then ask again`
}

function pin({ name }: HostSettings, key: Buffer): string {
  return `'${lineOf(key)}' as hosts.${name}.host_key in pilotflame.yml, then start again`
}

/** What the network shows cannot vouch for itself. */
function ownConsole(type: string): string {
  return `the one that the machine itself shows at its own console (ssh-keygen -lf ${keyFile(type)})`
}

function keyFile(type: string): string {
  const kind = /ed25519|ecdsa|rsa/.exec(type)?.[0] ?? 'ed25519'
  return `/etc/ssh/ssh_host_${kind}_key.pub`
}

/** A path as a shell reads it. */
function quoted(path: string): string {
  return /^[\w./~+@%=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
