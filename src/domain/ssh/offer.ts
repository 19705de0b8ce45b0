/** All that this client ever agrees upon, best first; a host that lacks all of one part cannot be talked to (trust.md T14). */
export const KEX = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group18-sha512',
  'diffie-hellman-group14-sha256',
  'diffie-hellman-group-exchange-sha256',
] as const

// Terrapin (CVE-2023-48795) needs chacha20-poly1305, or a MAC of the etm kind with a cipher of its own. None is here, so a
// host that lacks strict key exchange is as safe; ssh2 uses it wherever the host has it, and gives no way to insist.
export const CIPHERS = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
] as const

export const MACS = ['hmac-sha2-256', 'hmac-sha2-512'] as const

export const HOST_KEYS = [
  { type: 'ssh-ed25519', algorithm: 'ssh-ed25519' },
  { type: 'ecdsa-sha2-nistp256', algorithm: 'ecdsa-sha2-nistp256' },
  { type: 'ecdsa-sha2-nistp384', algorithm: 'ecdsa-sha2-nistp384' },
  { type: 'ecdsa-sha2-nistp521', algorithm: 'ecdsa-sha2-nistp521' },
  { type: 'ssh-rsa', algorithm: 'rsa-sha2-512' },
  { type: 'ssh-rsa', algorithm: 'rsa-sha2-256' },
] as const

/** What is offered for the part that has no match, and where the host says what it takes. */
interface Offer {
  /** keyword of sshd_config */
  readonly keyword: string
  readonly names: readonly string[]
}

/** The part that a client's words name (`no matching C->S cipher`); null where they name none. */
export function offerOf(message: string): Offer | null {
  return PARTS.find(([sign]) => sign.test(message))?.[1] ?? null
}

const PARTS: readonly (readonly [sign: RegExp, offer: Offer])[] = [
  [/no matching (?:\S+ )?cipher/i, { keyword: 'Ciphers', names: CIPHERS }],
  [/no matching (?:\S+ )?MAC\b/i, { keyword: 'MACs', names: MACS }],
  [/no matching (?:\S+ )?compression/i, { keyword: 'Compression', names: ['none'] }],
  [/no matching key exchange/i, { keyword: 'KexAlgorithms', names: KEX }],
  [/no matching host key/i, { keyword: 'HostKeyAlgorithms', names: HOST_KEYS.map(({ algorithm }) => algorithm) }],
]
