import { nearest } from '../domain/nearest.ts'
import type { HostSettings } from '../domain/target.ts'
import type { Env } from './environment.ts'
import { ADDRESS, ALIAS, USER } from './schema.ts'
import type { Refuse, Said } from './ssh-alias-files.ts'
import { keyOf, localUser, trustOf } from './ssh-alias-files.ts'
import type { SshConfig, SshConfigRead } from './ssh-config.ts'
import { readSshConfig } from './ssh-config.ts'

/** What pilotflame.yml says itself of a host with `ssh_config`; the rest is looked up. */
export type Given = {
  readonly [Part in 'address' | 'port' | 'user' | 'key' | 'trust' | 'jump']: HostSettings[Part] | undefined
}

export interface SshAliases {
  /** A host as `ssh ALIAS` would reach it. What cannot be kept is refused, and the settings are then of no use. */
  host(name: string, alias: string, given: Given, refuse: Refuse): HostSettings
  /** the hosts that only ProxyJump names, so far */
  readonly hops: readonly HostSettings[]
}

interface Sources {
  readonly home: string
  readonly env: Env
  /** names of hosts in pilotflame.yml: a hop of such a name is that host */
  readonly hosts: readonly string[]
}

/** Hosts by their names in `~/.ssh/config`, which is read once, when a host first asks for it. */
export function sshAliases(sources: Sources): SshAliases {
  const hops = new Map<string, HostSettings>()
  let read: SshConfigRead | null = null
  return {
    get hops() {
      return [...hops.values()]
    },
    host(name, alias, given, refuse) {
      read ??= readSshConfig(sources.home)
      if (!read.ok) refuse(read.found, `see to ~/.ssh/config, or write address, user and key of ${alias} here`)
      else if (!read.config.knows(alias)) refuse(...unknown(alias, read.config))
      else return resolved({ ...sources, config: read.config, hops, refuse }, { name, alias, given, way: [alias] })
      return { ...NOBODY, name }
    },
  }
}

const NOBODY: HostSettings = {
  name: '',
  address: '',
  port: 22,
  user: '',
  key: { from: 'agent', socket: '' },
  trust: { from: 'pinned', keys: [] },
  jump: null,
  gate: null,
}

function unknown(alias: string, { names }: SshConfig): Parameters<Refuse> {
  const next = names.length === 0 ? 'add it there' : `name one of ${names.slice(0, 20).join(', ')}, or add it there`
  return [`the name "${alias}", which no Host line of ~/.ssh/config means`, next, nearest(alias, names, 3)]
}

interface Around extends Sources {
  readonly config: SshConfig
  readonly hops: Map<string, HostSettings>
  readonly refuse: Refuse
}

interface Wanted {
  readonly name: string
  readonly alias: string
  readonly given: Given
  /** the aliases that lead here by ProxyJump, this one last */
  readonly way: readonly string[]
}

function resolved(around: Around, { name, alias, given, way }: Wanted): HostSettings {
  const { config, refuse } = around
  const directive = config.settings(alias, given.user)
  const one = (keyword: string) => directive(keyword)[0]
  const place = (keyword: string) => `${keyword} of ${alias} in ~/.ssh/config`
  if (directive('include').length > 0)
    refuse(place('an Include inside the Host block'), 'move it above the first Host line')
  const user = given.user ?? one('user') ?? localUser()
  const port = given.port ?? Number(one('port') ?? 22)
  const address =
    given.address ?? (one('hostname') ?? alias).replace(/%[h%]/g, (token) => (token === '%h' ? alias : '%'))
  if (!ADDRESS.test(address))
    refuse(`${place('the HostName')}, which is no host name or IP address`, 'correct it there, or write address: here')
  if (!USER.test(user))
    refuse(`${place('the User')}, which is no name of an account`, 'correct it there, or write user: here')
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    refuse(`${place('the Port')}, which is no port`, 'correct it there, or write port: here')
  const said: Said = { ...around, alias, address, port, user, directive, place }
  return {
    name,
    address,
    port,
    user,
    key: given.key ?? keyOf(said),
    trust: given.trust ?? trustOf(said),
    jump: given.jump === undefined ? jumpOf(around, said, way) : given.jump,
    gate: null,
  }
}

/** The name of the last hop; the hops become hosts of their own. */
function jumpOf(around: Around, { directive, place }: Said, way: readonly string[]): string | null {
  const [jump = 'none'] = directive('proxyjump')
  const [command = 'none'] = directive('proxycommand')
  if (command.toLowerCase() !== 'none') {
    around.refuse(
      `${place('the ProxyCommand')}: programs of that file are never run`,
      'write jump: and the name of a host here',
    )
    return null
  }
  if (jump.toLowerCase() === 'none') return null
  let before: string | null = null
  for (const hop of jump.split(',')) {
    before = hopOf(around, hop.trim(), before, way)
    if (before === null) return null
  }
  return before
}

const HOP = /^(?:ssh:\/\/)?(?:(?<user>[^@]+)@)?(?<host>\[[^\]:]*:[^\]]*\]|[^:@[\]]+)(?::(?<port>\d{1,5}))?$/

/** A hop is named by the way to it: `a` is reached as its own lines say, `a,b` through a. Null where it is refused. */
function hopOf(around: Around, hop: string, before: string | null, way: readonly string[]): string | null {
  const { refuse, hosts, hops } = around
  const { user, host = '', port } = HOP.exec(hop)?.groups ?? {}
  const alias = host.replace(/^\[|\]$/g, '')
  const name = before === null ? hop : `${before},${hop}`
  if (hosts.includes(name) || hops.has(name)) return name
  if (!ALIAS.test(alias)) {
    refuse(`a ProxyJump of ${way.at(-1)} in ~/.ssh/config that is no host`, 'correct it there, or write jump: here')
    return null
  }
  if (way.includes(alias)) {
    refuse(
      `the ring ${[...way, alias].join(' → ')} of ProxyJump lines in ~/.ssh/config`,
      'let one of them be reached directly (ProxyJump none)',
    )
    return null
  }
  const given = { ...NOTHING, user, port: port === undefined ? undefined : Number(port), jump: before ?? undefined }
  hops.set(name, resolved(around, { name, alias, given, way: [...way, alias] }))
  return name
}

const NOTHING: Given = {
  address: undefined,
  port: undefined,
  user: undefined,
  key: undefined,
  trust: undefined,
  jump: undefined,
}
