import { gunzipSync } from 'node:zlib'
import { z } from 'zod'

/** A file of text as it is; null where it holds bytes that are none, or was broken by an encoding that was applied twice. */
export function plain(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  return /\ufffd|Ã[\u0080-\u00bf]/.test(text) || text.includes('\u0000') ? null : text
}

export function packed(bytes: Buffer): string | null {
  return plain(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes)
}

/** A manual page as a person reads it: roff without its requests and escapes. */
export function unroffed(bytes: Buffer): string | null {
  const source = packed(bytes)
  if (source === null) return null
  const lines = source.split('\n').filter((line) => !/^[.'](?:\\"|so |if |ie |el |de |ds |nr |\.)/.test(line))
  return lines
    .map(unescaped)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
}

function unescaped(line: string): string {
  const words = /^[.']\s*(S[SH]|[BIR]{1,2}|[A-Z][a-z]|TP|IP|PP|TH)\b\s*(.*)/.exec(line)?.[2]
  return (words ?? line.replace(/^[.'][a-zA-Z]{1,3}\b.*$/, ''))
    .replace(/\\\[u([0-9A-F]{4,5})\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\f(?:\[\w*\]|\(..|.)|\\[&|^/,]|\\s[-+]?\d|\\[*n]?\((..)|\\\[\w+\]/g, '')
    .replace(/\\e/g, '\\')
    .replace(/\\(.)/g, '$1')
}

/** The translations of a GNU message catalogue, one a line; null where it is none, or of the other byte order. */
export function messages(bytes: Buffer): string | null {
  if (bytes.length < 28 || bytes.readUInt32LE(0) !== 0x950412de) return null
  const [count, table] = [bytes.readUInt32LE(8), bytes.readUInt32LE(16)]
  const texts = Array.from({ length: count }, (_, place) => {
    const [size, at] = [bytes.readUInt32LE(table + 8 * place), bytes.readUInt32LE(table + 8 * place + 4)]
    return bytes.toString('utf8', at, at + size).replaceAll('\u0000', '\n')
  })
  // the first translation is the head of the catalogue
  return plain(Buffer.from(texts.slice(1).join('\n')))
}

const Case = z.object({
  input: z.object({ log: z.union([z.string(), z.array(z.string()).transform((lines) => lines.join('\n'))]) }),
  truth: z.object({ verdict: z.string() }),
})

/** The log of a labelled case in which nothing is wrong. */
export function soundLog(bytes: Buffer): string | null {
  const read = Case.safeParse(JSON.parse(bytes.toString('utf8')))
  return read.success && read.data.truth.verdict === 'healthy' ? read.data.input.log : null
}
