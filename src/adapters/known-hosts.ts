import { createHmac } from 'node:crypto'

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

/**
 * The lines of a known_hosts text that match a host, as `ssh-keygen -F` finds them: plain, `[host]:port`, wildcard,
 * negated and hashed names (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT). Lines that are no host key lines are passed over.
 */
export function knownKeys(text: string, address: string, port: number): readonly KnownKey[] {
  const name = hostName(address, port)
  return text.split('\n').flatMap((line, index) => {
    const read = readLine(line)
    if (read === null || !matches(read.names, name)) return []
    return [{ type: read.type, key: Buffer.from(read.base64, 'base64'), role: read.role, line: index + 1 }]
  })
}

/** The name under which OpenSSH files a host: `10.0.0.5`, or `[10.0.0.5]:2222` where the port is not 22. */
export function hostName(address: string, port: number): string {
  const lower = address.toLowerCase()
  return port === 22 ? lower : `[${lower}]:${port}`
}

interface Line {
  readonly role: KnownKey['role']
  readonly names: string
  readonly type: string
  readonly base64: string
}

const ROLES: Readonly<Record<string, KnownKey['role']>> = { '@revoked': 'revoked', '@cert-authority': 'authority' }

function readLine(line: string): Line | null {
  const words = line.trim().split(/[ \t]+/)
  const [first = ''] = words
  if (first.startsWith('#')) return null
  const role = first.startsWith('@') ? ROLES[first] : 'key'
  const [names, type, base64] = role === 'key' ? words : words.slice(1)
  if (role === undefined || names === undefined || type === undefined || base64 === undefined) return null
  return { role, names, type, base64 }
}

function matches(names: string, name: string): boolean {
  if (names.startsWith('|1|')) return matchesHash(names, name)
  const patterns = names.split(',')
  const negated = patterns.filter((pattern) => pattern.startsWith('!'))
  if (negated.some((pattern) => matchesPattern(pattern.slice(1), name))) return false
  return patterns.some((pattern) => !pattern.startsWith('!') && matchesPattern(pattern, name))
}

/** `|1|salt|hash`: HMAC-SHA1 of the name, keyed with the salt. */
function matchesHash(names: string, name: string): boolean {
  const [, , salt = '', hash = ''] = names.split('|')
  const key = Buffer.from(salt, 'base64')
  return createHmac('sha1', key).update(name).digest().equals(Buffer.from(hash, 'base64'))
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
