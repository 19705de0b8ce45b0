import type { FailureKind } from '../failure.ts'
import { NETWORK_CODES } from '../network-codes.ts'

/** How far a dial had come when it failed: `open`: the port took us; `babbled`: something came that was no SSH greeting. */
export type Stage = 'dialling' | 'open' | 'babbled' | 'greeted'

/** What an SSH library said, with the fields by which its kinds are told apart; '' where it said nothing. */
export interface SshError {
  readonly level: string
  readonly code: string
  readonly message: string
  readonly stage: Stage
}

/** The kind of a failed dial (levels and texts of testbed.md 3.2, trust.md F6 and F9; texts of the OpenSSH client too). */
export function sshKind({ level, code, message, stage }: SshError): FailureKind {
  const byCode = NETWORK_CODES[code]
  if (byCode !== undefined) return byCode
  if (level === 'agent') return 'agent'
  if (stage === 'babbled' && level !== 'client-authentication') return 'not-ssh'
  const said = spoken(OF_LOGIN, message)
  if (said !== null) return said
  const byLevel = BY_LEVEL[level]
  if (byLevel !== undefined) return byLevel
  if (stage === 'greeted') return 'reset'
  // closed before the greeting: sshd's penalty box or MaxStartups, never a host that is down
  if (code === 'ECONNRESET') return 'banned'
  return spoken(OF_THE_WAY, message) ?? (level === 'protocol' ? 'not-ssh' : 'reset')
}

/** The kind that a text of an SSH client names by itself; null where it names none. */
export function spokenKind(message: string): FailureKind | null {
  return spoken(OF_LOGIN, message) ?? spoken(OF_THE_WAY, message)
}

type Signs = readonly (readonly [kind: FailureKind, sign: RegExp])[]

function spoken(signs: Signs, message: string): FailureKind | null {
  return signs.find(([, sign]) => sign.test(message))?.[0] ?? null
}

const BY_LEVEL: Readonly<Record<string, FailureKind>> = {
  'client-authentication': 'ssh-auth',
  'client-timeout': 'connect-timeout',
  'client-dns': 'dns',
  handshake: 'kex',
}

/** Said once both sides talk SSH, or of our own key. The first that fits. */
const OF_LOGIN: Signs = [
  ['keepalive', /keep-?alive|timeout, server \S+ not responding/i],
  ['key-passphrase', /passphrase|key integrity check failed|bad decrypt|encrypted \S*\s?private key/i],
  ['auth-method', /(?:signature|mutual) algorithm|no mutual|while signing with key|unsupported algorithm/i],
  ['auth-method', /PubkeyAccepted|not in \S*AcceptedAlgorithms|certificate (?:is )?not supported/i],
  ['key-format', /cannot parse private ?key|\(?valid\)? private key|malformed (?:encrypted )?(?:openssh|ppk|private)/i],
  [
    'key-format',
    /unsupported (?:openssh |key |cipher for |kdf )|load key .*(?:invalid format|libcrypto)|unknown key type/i,
  ],
  ['agent', /\bagent\b(?! forwarding)|pageant/i],
  ['ssh-auth', /authentication (?:methods |attempts )?fail|authentication method|permission denied \([a-z,-]+\)/i],
  ['kex', /no matching|unable to negotiate|no common|KEX(?:INIT|DH)|key exchange (?:failed|init)/i],
  ['hostkey-unknown', /no \S+ host key is known|authenticity of host/i],
  ['hostkey-changed', /host denied|host key (?:verification|mismatch)|host identification has changed/i],
]

/** Said of the way there, before any login. */
const OF_THE_WAY: Signs = [
  ['banned', /lost before handshake|kex_exchange_identification|exceeded maxstartups|not allowed at this time/i],
  ['dns', /getaddrinfo|could not resolve|name or service not known|name resolution|no address associated/i],
  ['refused', /connection refused|ECONNREFUSED/i],
  ['connect-timeout', /timed? ?out|ETIMEDOUT|EHOSTUNREACH|no route to host|network is unreachable|host is down/i],
  ['not-ssh', /identification|banner|header|protocol version|bad packet length/i],
]
