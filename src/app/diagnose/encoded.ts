/** What the first bytes of an input show of it: text as we read it, text in another encoding, or no text at all. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gzip' | 'binary'

/** Looks at the first bytes. Windows PowerShell writes UTF-16 with `>`. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [one, two] = bytes
  if (one === 0x1f && two === 0x8b) return 'gzip'
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  if (one === 0xfe && two === 0xff) return 'utf-16be'
  const nulls = [0, 1].map((from) => nullsIn(bytes, from))
  if (nulls.every((share) => share === 0)) return 'utf-8'
  // letters of Western scripts leave every other byte empty
  if ((nulls[1] ?? 0) > MOSTLY && (nulls[0] ?? 0) < SOME) return 'utf-16le'
  if ((nulls[0] ?? 0) > MOSTLY && (nulls[1] ?? 0) < SOME) return 'utf-16be'
  return 'binary'
}

const MOSTLY = 0.5
const SOME = 0.05

/** The share of empty bytes among every other one. */
function nullsIn(bytes: Uint8Array, from: number): number {
  const places = Math.ceil((bytes.length - from) / 2)
  return places <= 0 ? 0 : bytes.filter((byte, at) => at % 2 === from && byte === 0).length / places
}

/** The same text in UTF-8, piece by piece. */
export async function* inUtf8(
  input: AsyncIterable<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of input) yield Buffer.from(decoder.decode(piece, { stream: true }))
  yield Buffer.from(decoder.decode())
}
