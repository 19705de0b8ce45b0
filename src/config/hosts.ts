import { dirname, resolve } from 'node:path'
import type { HostKeySource, HostSettings, HostTrust } from '../domain/target.ts'
import type { Env } from './environment.ts'
import type { Problem } from './problem.ts'
import { ringFrom } from './references.ts'
import type { ConfigFile } from './schema.ts'
import type { Blame } from './shape.ts'
import type { Given } from './ssh-alias.ts'
import { sshAliases } from './ssh-alias.ts'

/** What the hosts of a file are completed with. */
export interface Around {
  /** absolute path of the file; relative paths in it start at its folder */
  readonly file: string
  readonly home: string
  readonly env: Env
  /** path of the SSH agent's socket */
  readonly agentSocket: string
  /** the value of a variable that the file names; known to be set */
  secret(name: string): string
}

export interface HostsRead {
  /** those of the file in its order, then those that only ProxyJump names */
  readonly hosts: readonly HostSettings[]
  readonly problems: readonly Problem[]
}

type HostEntry = NonNullable<ConfigFile['hosts']>[string]

/** Completes the hosts of a checked file: defaults, absolute paths, secrets by value, and what `~/.ssh/config` says of aliases. */
export function hostsOf(file: ConfigFile, around: Around, blame: Blame): HostsRead {
  const entries = Object.entries(file.hosts ?? {})
  const aliases = sshAliases({ ...around, hosts: entries.map(([name]) => name) })
  const problems: Problem[] = []
  const hosts = entries.map(([name, entry]) => {
    const given = givenIn(entry, around)
    if (entry.ssh_config === undefined) return { ...completed(name, given, around), gate: entry.gate ?? null }
    const host = aliases.host(name, entry.ssh_config, given, (found, next, near) => {
      problems.push(blame(['hosts', name, 'ssh_config'], found, next, near))
    })
    return { ...host, key: unlocked(host.key, entry, around), gate: entry.gate ?? null }
  })
  const all = [...hosts, ...aliases.hops]
  return { hosts: all, problems: [...problems, ...rings(file, all, blame)] }
}

/** A path as the file means it. */
export function absolute(path: string, { file, home }: Pick<Around, 'file' | 'home'>): string {
  return resolve(dirname(file), path.replace(/^~(?=\/|$)/, home))
}

function givenIn(entry: HostEntry, around: Around): Given {
  const { address, port, user, jump } = entry
  return { address, port, user, jump, key: keyOf(entry, around), trust: trustOf(entry, around) }
}

function completed(name: string, given: Given, around: Around): HostSettings {
  return {
    name,
    address: given.address ?? '',
    port: given.port ?? 22,
    user: given.user ?? '',
    key: given.key ?? { from: 'file', path: '', passphrase: null },
    trust: given.trust ?? { from: 'files', paths: [absolute('~/.ssh/known_hosts', around)] },
    jump: given.jump ?? null,
    gate: null,
  }
}

function keyOf(entry: HostEntry, around: Around): HostKeySource | undefined {
  const { agent, key, key_env: variable } = entry
  const path = key === undefined ? undefined : absolute(key, around)
  if (agent === true)
    return { from: 'agent', socket: around.agentSocket, ...(path === undefined ? {} : { only: path }) }
  const passphrase = passphraseOf(entry, around)
  if (variable !== undefined) return { from: 'text', text: around.secret(variable), passphrase }
  return path === undefined ? undefined : { from: 'file', path, passphrase }
}

/** The passphrase that the file names is for the key of `~/.ssh/config`, too. */
function unlocked(key: HostKeySource, entry: HostEntry, around: Around): HostKeySource {
  return key.from === 'file' ? { ...key, passphrase: passphraseOf(entry, around) } : key
}

function passphraseOf({ key_passphrase_env: variable }: HostEntry, around: Around): string | null {
  return variable === undefined ? null : around.secret(variable)
}

function trustOf({ host_key: pinned, known_hosts: files }: HostEntry, around: Around): HostTrust | undefined {
  if (pinned !== undefined) return { from: 'pinned', keys: [pinned].flat() }
  return files === undefined
    ? undefined
    : { from: 'files', paths: [files].flat().map((path) => absolute(path, around)) }
}

/** Rings that only show once `~/.ssh/config` is read; those of the file itself are told already. */
function rings(file: ConfigFile, hosts: readonly HostSettings[], blame: Blame): readonly Problem[] {
  return hosts.flatMap(({ name }) => {
    const ring = ringFrom(name, (from) => hosts.find((host) => host.name === from)?.jump ?? undefined)
    const aliased = ring?.find((member) => file.hosts?.[member]?.jump === undefined)
    if (ring === null || aliased === undefined) return []
    return [
      blame(['hosts', aliased, 'ssh_config'], `the ring ${ring.join(' → ')}`, 'let one of them be reached directly'),
    ]
  })
}
