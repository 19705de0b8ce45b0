import type { Encoding } from './encoded.ts'
import { encodingOf } from './encoded.ts'

/** The first bytes of an input, looked at before anybody reads it. */
export interface Opening {
  /** up to 64 KiB of it, without a byte order mark */
  readonly text: string
  /** what it really is; the text is read as UTF-8 */
  readonly encoding: Encoding
  /** whether that is all */
  readonly isWhole: boolean
  /** all of it, from its first byte */
  readonly input: AsyncIterable<Uint8Array>
}

/** Waits until an input can be judged by its looks: for 64 KiB, or for its end. */
export async function openingOf(input: AsyncIterable<Uint8Array>): Promise<Opening> {
  const pieces = input[Symbol.asyncIterator]()
  const parts: Uint8Array[] = []
  let bytes = 0
  let next = await pieces.next()
  while (next.done !== true) {
    parts.push(next.value)
    bytes += next.value.length
    if (bytes >= ENOUGH) break
    next = await pieces.next()
  }
  const first = Buffer.concat(parts).subarray(0, ENOUGH)
  const text = new TextDecoder().decode(first)
  return {
    text,
    encoding: encodingOf(first),
    isWhole: next.done === true && bytes <= ENOUGH,
    input: all(parts, pieces),
  }
}

const ENOUGH = 64 * 1024

async function* all(parts: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* parts
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}
