import { readFile, stat } from 'node:fs/promises'

import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { HostSettings } from '../domain/target.ts'
import { isPublicKey, keyType } from './ssh-fingerprint.ts'

/** How we prove who we are: a private key that can be used, or an agent at this socket, with the one key it is to offer. */
export type Credential =
  | { readonly from: 'key'; readonly text: string; readonly passphrase: string | null }
  /** `only`: in wire format; null: whatever the agent holds */
  | { readonly from: 'agent'; readonly socket: string; readonly only: Buffer | null }

/** The error text of the SSH library for a private key, or null where it can be used. */
export type TryKey = (text: string, passphrase: string | null) => string | null

/** Reads a host's key and tries it, so that a key which cannot work is said before anybody is dialled. */
export async function credentialOf(host: HostSettings, tryKey: TryKey): Promise<Outcome<Credential>> {
  const source = host.key
  switch (source.from) {
    case 'agent':
      return agent(source.socket, source.only ?? null)
    case 'text':
      return usable(
        host,
        { name: `key of host ${host.name}`, text: source.text, passphrase: source.passphrase },
        tryKey,
      )
    case 'file': {
      const text = await readKeyFile(source.path)
      if (!text.ok) return failed(text.failure)
      return usable(host, { name: `key file ${source.path}`, text: text.value, passphrase: source.passphrase }, tryKey)
    }
  }
}

async function agent(socket: string, only: string | null): Promise<Outcome<Credential>> {
  const found = await look(socket)
  if (found?.isSocket() !== true) {
    return failed({
      kind: 'agent',
      thing: `SSH agent ${socket || '(no socket named)'}`,
      observed: found === null ? 'no such socket' : 'is no socket',
      next: 'start ssh-agent, add the key with ssh-add, and set the path that SSH_AUTH_SOCK shows; or name a key file',
    })
  }
  if (only === null) return ok({ from: 'agent', socket, only })
  const key = await readPublicKey(only)
  return key.ok ? ok({ from: 'agent', socket, only: key.value }) : failed(key.failure)
}

/** The public half of a key that an agent holds, in wire format. */
async function readPublicKey(path: string): Promise<Outcome<Buffer>> {
  const thing = `public key file ${path}`
  const found = await look(path)
  const next = 'name the .pub file of a key that the agent holds (ssh-add -L shows what stands in it)'
  if (found === null) return failed({ kind: 'key-missing', thing, observed: 'no such file', next })
  const text = found.isFile() && found.size <= LARGEST_KEY ? await readText(path) : null
  const [type = '', base64 = ''] = text?.trim().split(/\s+/) ?? []
  const key = Buffer.from(base64, 'base64')
  if (isPublicKey(key) && keyType(key) === type) return ok(key)
  return failed({ kind: 'key-format', thing, observed: 'is no public key', next })
}

const GROUP_AND_OTHERS = 0o077
const LARGEST_KEY = 64 * 1024

async function readKeyFile(path: string): Promise<Outcome<string>> {
  const thing = `key file ${path}`
  const found = await look(path)
  if (found === null) return failed(missing(thing, 'no such file, or a folder on the way cannot be entered'))
  if (found.isDirectory()) return failed(missing(thing, 'is a directory'))
  if (!found.isFile() || found.size > LARGEST_KEY) return failed(unusable(thing, 'is no private key'))
  const text = await readText(path)
  if (text === null) return failed({ ...tooOpen(thing, path, found.mode), observed: 'may not be read by this user' })
  // what is no private key at all may be read by everybody
  const open = (found.mode & GROUP_AND_OTHERS) !== 0 && wrongFormat(text) === null
  return open ? failed(tooOpen(thing, path, found.mode)) : ok(text)
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return null
  }
}

async function look(path: string) {
  try {
    return await stat(path)
  } catch {
    return null
  }
}

interface Given {
  readonly name: string
  readonly text: string
  readonly passphrase: string | null
}

function usable(host: HostSettings, { name, text, passphrase }: Given, tryKey: TryKey): Outcome<Credential> {
  const wrong = wrongFormat(text)
  if (wrong !== null) return failed(unusable(name, wrong.observed, wrong.next))
  const problem = tryKey(text, passphrase)
  if (problem === null) return ok({ from: 'key', text, passphrase })
  if (/passphrase|integrity check|bad decrypt/i.test(problem)) return failed(locked(host, name, passphrase))
  return failed(unusable(name, `is no private key that can be used (${problem})`))
}

function wrongFormat(text: string): { observed: string; next?: string } | null {
  if (text.trim() === '') return { observed: 'is empty' }
  if (text.startsWith('PuTTY-User-Key-File')) {
    return {
      observed: 'is in PuTTY format',
      next: 'export it as an OpenSSH key (puttygen KEY.ppk -O private-openssh -o KEY)',
    }
  }
  if (/^(?:ssh-|ecdsa-|sk-)\S+ AAAA|^-+ ?BEGIN (?:SSH2 )?PUBLIC KEY/.test(text)) {
    return { observed: 'is the public key', next: 'name the private key: the same path without .pub' }
  }
  return null
}

const AS_OPENSSH = 'name a private key in OpenSSH or PEM format (ssh-keygen -t ed25519 makes one)'

function unusable(thing: string, observed: string, next = AS_OPENSSH): Failure {
  return { kind: 'key-format', thing, observed, next }
}

function missing(thing: string, observed: string): Failure {
  return { kind: 'key-missing', thing, observed, next: 'correct the path, or put the private key there (mode 600)' }
}

function tooOpen(thing: string, path: string, mode: number): Failure {
  return {
    kind: 'key-permissions',
    thing,
    observed: `can be read by others (mode ${(mode & 0o777).toString(8).padStart(3, '0')})`,
    next: `chmod 600 '${path}', owned by the user that runs the bot`,
  }
}

function locked({ name }: HostSettings, thing: string, passphrase: string | null): Failure {
  const key = `hosts.${name}.key_passphrase_env`
  const [observed, next] =
    passphrase === null
      ? [
          'needs a passphrase',
          `write the NAME of a variable as ${key} in pilotflame.yml and put the passphrase into that variable; or use an agent, or a key without one`,
        ]
      : ['does not open with the given passphrase', `correct the variable that ${key} in pilotflame.yml names`]
  return { kind: 'key-passphrase', thing, observed, next }
}
