import { createHmac } from 'node:crypto'

import { isPublicKey, keyType } from './ssh-fingerprint.ts'

/** One line of a known_hosts file that can speak for a host. */
export interface KnownKey {
  /** `ssh-ed25519` */
  readonly type: string
  /** the key in SSH wire format */
  readonly key: Buffer
  /** `revoked`: never to be trusted · `authority`: signs host certificates, which ssh2 does not know */
  readonly role: 'key' | 'revoked' | 'authority'
  /** line number in the file, from 1 */
  readonly line: number
}

/** A line that may speak for the host, and what about it cannot be judged. It may be a revocation: nobody may pass over it. */
export interface BrokenLine {
  readonly line: number
  /** `its key cannot be read` */
  readonly problem: string
}

/**
 * The lines of a known_hosts text that speak for a host, as `ssh-keygen -F` finds them: plain, `[host]:port`, wildcard,
 * negated and hashed names (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT). Lines about other hosts are passed over, broken or not.
 */
export function readKnownHosts(
  text: string,
  address: string,
  port: number,
): { readonly keys: readonly KnownKey[]; readonly broken: readonly BrokenLine[] } {
  const name = hostName(address, port)
  const keys: KnownKey[] = []
  const broken: BrokenLine[] = []
  for (const [index, words] of text.split('\n').map(wordsOf).entries()) {
    const read = words === null ? null : readLine(words, name)
    if (typeof read === 'string') broken.push({ line: index + 1, problem: read })
    else if (read !== null) keys.push({ ...read, line: index + 1 })
  }
  return { keys, broken }
}

/** The name under which OpenSSH files a host: `10.0.0.5`, or `[10.0.0.5]:2222` where the port is not 22. */
export function hostName(address: string, port: number): string {
  const lower = address.toLowerCase()
  return port === 22 ? lower : `[${lower}]:${port}`
}

interface Words {
  /** `@revoked`; the rest of the line follows the last of them */
  readonly markers: readonly string[]
  readonly names: string
  readonly type: string
  readonly base64: string
}

/** Null for comments, empty lines and markers for nobody. */
function wordsOf(line: string): Words | null {
  const words = line.trim().split(/[ \t]+/)
  const start = words.findIndex((word) => !word.startsWith('@'))
  const [names = '', type = '', base64 = ''] = start === -1 ? [] : words.slice(start)
  return names === '' || names.startsWith('#') ? null : { markers: words.slice(0, start), names, type, base64 }
}

const ROLES: Readonly<Record<string, KnownKey['role']>> = { '@revoked': 'revoked', '@cert-authority': 'authority' }

/** Null where the line is about others, a text where it cannot be judged. */
function readLine({ markers, names, type, base64 }: Words, name: string): Omit<KnownKey, 'line'> | string | null {
  const about = matches(names, name)
  if (about === null) return 'its hashed name cannot be read'
  if (!about) return null
  const [marker, ...more] = markers
  const role = marker === undefined ? 'key' : ROLES[marker]
  if (role === undefined || more.length > 0) return 'its marker is neither @revoked nor @cert-authority'
  if (base64 === '') return 'it holds no key'
  const key = Buffer.from(base64, 'base64')
  if (key.toString('base64') !== base64 || !isPublicKey(key)) return 'its key cannot be read'
  return keyType(key) === type ? { type, key, role } : 'its key is not of the type that stands before it'
}

/** Null where the names are hashed in a way that cannot be read. */
function matches(names: string, name: string): boolean | null {
  if (names.startsWith('|')) return matchesHash(names, name)
  const patterns = names.split(',')
  const negated = patterns.filter((pattern) => pattern.startsWith('!'))
  if (negated.some((pattern) => matchesPattern(pattern.slice(1), name))) return false
  return patterns.some((pattern) => !pattern.startsWith('!') && matchesPattern(pattern, name))
}

const SHA1 = '([A-Za-z0-9+/]{27}=)'
const HASHED = new RegExp(`^\\|1\\|${SHA1}\\|${SHA1}$`)

/** `|1|salt|hash`: HMAC-SHA1 of the name, keyed with the salt. */
function matchesHash(names: string, name: string): boolean | null {
  const [, salt, hash] = HASHED.exec(names) ?? []
  if (salt === undefined || hash === undefined) return null
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash
}

/** `*` and `?` as in a shell, over the whole name. Walks back to the last star only, so that it stays linear enough. */
function matchesPattern(pattern: string, name: string): boolean {
  const wanted = pattern.toLowerCase()
  let at = 0
  let star = -1
  let resume = 0
  let position = 0
  while (position < name.length) {
    const sign = wanted[at]
    if (sign === '*') {
      star = at
      resume = position
      at += 1
    } else if (sign === '?' || sign === name[position]) {
      at += 1
      position += 1
    } else if (star !== -1) {
      at = star + 1
      resume += 1
      position = resume
    } else return false
  }
  return [...wanted.slice(at)].every((sign) => sign === '*')
}
