import { beforeCut } from '../domain/excerpt.ts'

/** The beginning of what comes in pieces, as bytes, so that a character split over two of them stays whole. */
export interface Output {
  /** False once more came than is kept. */
  add(piece: Buffer): boolean
  /** Of what was cut no half of a line: nobody could know half a secret again. */
  text(): string
}

/** Keeps `most` bytes. Pieces are copied: many small ones would hold far more memory than their bytes. */
export function output(most: number): Output {
  let kept = Buffer.alloc(0)
  let length = 0
  let isCut = false
  return {
    add(piece) {
      const taken = Math.min(piece.length, most - length)
      if (length + taken > kept.length) {
        const larger = Buffer.allocUnsafe(Math.min(most, Math.max(2 * kept.length, length + taken, 4096)))
        kept.copy(larger, 0, 0, length)
        kept = larger
      }
      piece.copy(kept, length, 0, taken)
      length += taken
      isCut ||= taken < piece.length
      return taken === piece.length
    },
    text() {
      const text = kept.toString('utf8', 0, length)
      return isCut ? beforeCut(text) : text
    },
  }
}
