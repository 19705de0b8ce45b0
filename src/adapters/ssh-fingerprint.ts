import { createHash } from 'node:crypto'

/** `SHA256:…` of a key in wire format, as ssh-keygen prints it. */
export function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

/** The type that a key in wire format names: `ssh-ed25519`. */
export function keyType(key: Buffer): string {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0
  return length > 0 && length <= 64 ? key.subarray(4, 4 + length).toString('latin1') : 'unknown'
}
