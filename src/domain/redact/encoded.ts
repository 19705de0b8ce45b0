import type { Span } from './exact.ts'
import { matchesIn } from './matches.ts'

/** Finds words in base64 that say a secret once they are decoded, as Kubernetes and CI carry them. */
export function encoded(text: string, holdsSecret: (decoded: string) => boolean): readonly Span[] {
  const words = Array.from(matchesIn(text, BASE64), ({ 0: found, index }): Span => [index, index + found.length])
  return words.filter(([from, to]) => {
    const decoded = Buffer.from(text.slice(from, to), 'base64').toString('utf8')
    return PRINTED.test(decoded) && holdsSecret(decoded)
  })
}

/** One word, in both alphabets; or lines of 64 or 76 characters as tools wrap them, and what comes after. */
const BASE64 =
  /(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{12})?\r?\n)*[A-Za-z0-9+/_-]{16,}={0,2}(?![A-Za-z0-9+/_=-])/g

/** Nothing that text does not hold: most words are no base64, and decode to noise. */
const PRINTED = /^(?:[^\p{Cc}\ufffd]|[\t\n\r])+$/u
