/** Text out of base64 of its UTF-8 bytes, bad bytes as U+FFFD; null where it is no base64. */
export function fromBase64(text: string): string | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null
  return Buffer.from(text, 'base64').toString('utf8')
}

/** The form in which free text travels as a word: base64url of its UTF-8 bytes, without padding. */
export function toBase64Url(text: string): string {
  return Buffer.from(text).toString('base64url')
}

/** Text out of the numbers of its UTF-8 bytes; null where something else stands among them. */
export function fromBytes(bytes: readonly unknown[]): string | null {
  const numbers = bytes.filter((byte) => typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && byte < 256)
  return numbers.length === bytes.length ? Buffer.from(numbers.map(Number)).toString('utf8') : null
}
