import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import type { HostKeySource, HostTrust } from '../domain/target.ts'
import type { Env } from './environment.ts'

/** Takes what was found, what to write instead, and the name that was probably meant. */
export type Refuse = (found: string, next: string, nearest?: string | null) => void

/** What `~/.ssh/config` says of one name. */
export interface Said {
  readonly home: string
  readonly env: Env
  readonly refuse: Refuse
  readonly alias: string
  readonly address: string
  readonly port: number
  readonly user: string
  directive(keyword: string): readonly string[]
  /** `the Port of gpu1 in ~/.ssh/config` */
  place(keyword: string): string
}

/** Who runs the bot; empty where the system has no name for them. */
export function localUser(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}

/**
 * The key that is offered: the first IdentityFile that exists (else the first, so that its absence is told when it is
 * wanted), without any the agent, without an agent one of the usual files.
 */
export function keyOf(said: Said): HostKeySource {
  const named = said.directive('identityfile').filter((path) => path.toLowerCase() !== 'none')
  const socket = socketOf(said)
  if (named.length > 0)
    return fromFiles(
      named.map((path) => pathOf(said, 'IdentityFile', path)),
      socket,
    )
  if (socket !== '') return { from: 'agent', socket }
  const usual = USUAL.map((name) => resolve(said.home, '.ssh', name)).find(isFile)
  if (usual !== undefined) return { from: 'file', path: usual, passphrase: null }
  said.refuse(
    `no IdentityFile of ${said.alias} in ~/.ssh/config, and no SSH agent`,
    'write key: PATH here, or IdentityFile there',
  )
  return { from: 'agent', socket }
}

const USUAL = ['id_ed25519', 'id_ecdsa', 'id_rsa']

/** A public key stands for the private one that the agent holds. */
function fromFiles(paths: readonly string[], socket: string): HostKeySource {
  const there = paths.find(isFile)
  const publicKey = there === undefined ? paths.map((path) => `${path}.pub`).find(isFile) : there
  if (socket !== '' && publicKey?.endsWith('.pub') === true) return { from: 'agent', socket, only: publicKey }
  return { from: 'file', path: there ?? paths[0] ?? '', passphrase: null }
}

function socketOf(said: Said): string {
  const [asked = 'SSH_AUTH_SOCK'] = said.directive('identityagent')
  if (asked.toLowerCase() === 'none') return ''
  const [, variable] = /^\$?([A-Z_][A-Z0-9_]*)$/.exec(asked) ?? []
  return variable === undefined ? pathOf(said, 'IdentityAgent', asked) : (said.env[variable] ?? '')
}

/** The known_hosts files. Whoever told ssh to trust everybody must say here whom the bot may trust. */
export function trustOf(said: Said): HostTrust {
  const { alias, directive, refuse, place } = said
  const [filed] = directive('hostkeyalias')
  if (filed !== undefined) {
    refuse(
      `${place('the HostKeyAlias')}, which is not supported`,
      `write host_key: here, with the key that this shows: ssh-keygen -F ${/^[\w.-]+$/.test(filed) ? filed : alias}`,
    )
  }
  if (directive('revokedhostkeys').some(isReal)) {
    refuse(`${place('the RevokedHostKeys')}, which is not supported`, 'write @revoked lines into known_hosts there')
  }
  const files = directive('userknownhostsfile')
  const real = files.filter(isReal)
  if (files.length > 0 && real.length === 0) {
    refuse(`${place('the UserKnownHostsFile')}, which knows nobody`, 'write host_key: or known_hosts: here')
  }
  const own = (files.length === 0 ? ['~/.ssh/known_hosts'] : real).map((path) =>
    pathOf(said, 'UserKnownHostsFile', path),
  )
  return { from: 'files', paths: [...own, ...globalFiles(said)] }
}

/** The machine's own, where a key may be revoked for everybody. */
function globalFiles(said: Said): readonly string[] {
  const named = said.directive('globalknownhostsfile')
  return named.length === 0
    ? GLOBAL.filter(isFile)
    : named.filter(isReal).map((path) => pathOf(said, 'GlobalKnownHostsFile', path))
}

const GLOBAL = ['/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2']

function isReal(path: string): boolean {
  return path !== '/dev/null' && path.toLowerCase() !== 'none'
}

/** A path with its `~`, `%` tokens and `${VARIABLES}` replaced; relative ones start at home. */
function pathOf(said: Said, keyword: string, path: string): string {
  const tokens: Readonly<Record<string, string | undefined>> = {
    '%%': '%',
    '%d': said.home,
    '%h': said.address,
    '%n': said.alias,
    '%p': String(said.port),
    '%r': said.user,
    '%u': localUser(),
  }
  const strange: string[] = []
  const whole = path.replace(/%.?|\$\{([^}]*)\}/g, (token, variable?: string) => {
    const value = variable === undefined ? tokens[token] : said.env[variable]
    if (value === undefined) strange.push(token)
    return value ?? ''
  })
  if (strange.length > 0) {
    said.refuse(
      `${said.place(`the ${keyword}`)}, with ${strange.join(', ')} in it, which has no value here`,
      'write the path out there',
    )
  }
  return resolve(said.home, whole.replace(/^~(?=\/)/, said.home))
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false
  }
}
