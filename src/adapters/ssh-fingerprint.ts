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

/** Whether these bytes are whole: fields with their lengths before them to the last byte, and more than the type. */
export function isPublicKey(key: Buffer): boolean {
  let [at, fields] = [0, 0]
  while (at + 4 <= key.length) {
    at += 4 + key.readUInt32BE(at)
    fields += 1
  }
  return at === key.length && fields > 1
}
