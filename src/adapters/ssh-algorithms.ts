import type { Algorithms, CipherAlgorithm, KexAlgorithm, MacAlgorithm, ServerHostKeyAlgorithm } from 'ssh2'

/** All that is ever agreed upon, best first; the host is asked for a key of a known type before any other (trust.md T14). */
export function algorithmsFor(knownTypes: readonly string[]): Algorithms {
  const known = HOST_KEYS.filter(({ type }) => knownTypes.includes(type))
  const serverHostKey = [...new Set([...known, ...HOST_KEYS])].map(({ algorithm }) => algorithm)
  return { kex: [...KEX], serverHostKey, cipher: [...CIPHERS], hmac: [...MACS], compress: ['none'] }
}

const KEX: readonly KexAlgorithm[] = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group18-sha512',
  'diffie-hellman-group14-sha256',
  'diffie-hellman-group-exchange-sha256',
]

// Terrapin (CVE-2023-48795) needs chacha20-poly1305, or a MAC of the etm kind with a cipher of its own. None is here, so a
// host that lacks strict key exchange is as safe; ssh2 uses it wherever the host has it, and gives no way to insist.
const CIPHERS: readonly CipherAlgorithm[] = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
]
const MACS: readonly MacAlgorithm[] = ['hmac-sha2-256', 'hmac-sha2-512']

const HOST_KEYS: readonly { readonly type: string; readonly algorithm: ServerHostKeyAlgorithm }[] = [
  { type: 'ssh-ed25519', algorithm: 'ssh-ed25519' },
  { type: 'ecdsa-sha2-nistp256', algorithm: 'ecdsa-sha2-nistp256' },
  { type: 'ecdsa-sha2-nistp384', algorithm: 'ecdsa-sha2-nistp384' },
  { type: 'ecdsa-sha2-nistp521', algorithm: 'ecdsa-sha2-nistp521' },
  { type: 'ssh-rsa', algorithm: 'rsa-sha2-512' },
  { type: 'ssh-rsa', algorithm: 'rsa-sha2-256' },
]
