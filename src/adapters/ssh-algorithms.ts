import type { Algorithms } from 'ssh2'

import { CIPHERS, HOST_KEYS, KEX, MACS } from '../domain/ssh/offer.ts'

/** All that is ever agreed upon, best first; the host is asked for a key of a known type before any other (trust.md T14). */
export function algorithmsFor(knownTypes: readonly string[]): Algorithms {
  const known = HOST_KEYS.filter(({ type }) => knownTypes.includes(type))
  const serverHostKey = [...new Set([...known, ...HOST_KEYS])].map(({ algorithm }) => algorithm)
  return { kex: [...KEX], serverHostKey, cipher: [...CIPHERS], hmac: [...MACS], compress: ['none'] }
}
