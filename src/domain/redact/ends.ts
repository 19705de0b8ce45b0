import { endsOf, headAndTail } from '../excerpt.ts'

/**
 * Redacts what an exchange holds, of which the middle may be missing. What the cut split has no shape any more, and a name
 * or the other pieces of a stream may lie on its other side. So either end is redacted with all that stands in it, and only
 * then the edge goes in which such halves are. A secret that is spelled out over more than an edge is not known again.
 */
export function redactEnds(text: string, redact: (text: string) => string): string {
  const ends = endsOf(text)
  if (ends === null) return redact(text)
  const [head, tail] = [Buffer.from(redact(ends.head)), Buffer.from(redact(ends.tail))]
  const kept = head.toString('utf8', 0, Math.max(0, head.length - EDGE))
  return headAndTail(kept, tail.toString('utf8', Math.min(EDGE, tail.length)), ends.bytes)
}

/** In bytes: about 150 events of a stream. */
const EDGE = 32 * 1024
