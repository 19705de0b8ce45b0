import { withoutRequest } from '../../domain/redact/requests.ts'
import { LONGEST_LINE } from '../../domain/signature.ts'
import type { AnchorSearch } from './anchors.ts'
import { endOfLine, lineWalk, startsAbove } from './line-ends.ts'

/** A line that holds an anchor. */
export interface HitLine {
  /** where it begins */
  readonly start: number
  /** how many lines stand before it */
  readonly before: number
  /** As `lineAt` reads it; good for the time of the call, since it may hold all the bytes' text. */
  readonly line: string
  /** the anchors that it holds, by their index; good for the time of the call */
  readonly anchors: readonly number[]
}

/** Tells of the lines in their order; gives how many lines there are in all, of which the last may lack its end. */
export function eachHitLine(bytes: Buffer, search: AnchorSearch, tell: (hit: HitLine) => void): number {
  // one text for all lines: to decode each would take longer than to judge it
  const whole = bytes.toString('utf8')
  // no more characters than bytes, and as many only where each byte is one
  const text = whole.length === bytes.length ? whole : null
  const walk = lineWalk(bytes, text ?? bytes.toString('latin1'))
  const read = lineReader(bytes, text)
  const anchors: number[] = []
  function flush(): void {
    const { start, stop, before } = walk
    if (anchors.length > 0) tell({ start, before, line: read(start, stop), anchors })
    anchors.length = 0
  }
  search(bytes, (at, anchor) => {
    if (at >= walk.stop) {
      flush()
      walk.to(at)
    }
    if (!anchors.includes(anchor)) anchors.push(anchor)
  })
  flush()
  walk.to(bytes.length)
  return walk.before + (walk.start < bytes.length ? 1 : 0)
}

/** The lines directly above `start`, oldest first; `before` stood above all these bytes. */
export function linesAbove(bytes: Buffer, start: number, before: readonly string[], most: number): readonly string[] {
  const here = startsAbove(bytes, start, most).map((at) => lineAt(bytes, at))
  const missing = most - here.length
  return [...(missing === 0 ? [] : before.slice(-missing)), ...here.toReversed()]
}

/** The line that begins there: at most `LONGEST_LINE` characters of it, without what other people asked. */
export function lineAt(bytes: Buffer, start: number): string {
  return withoutRequest(decoded(bytes, start, endOfLine(bytes, start)))
}

/** So many bytes hold `LONGEST_LINE` characters, whatever they are. */
export const MOST_BYTES = 4 * LONGEST_LINE

/** Whatever is judged or quoted of a log comes through here or `lineAt`, so nobody's prompt is either. */
function lineReader(bytes: Buffer, text: string | null): (start: number, stop: number) => string {
  if (text === null) return (start, stop) => withoutRequest(decoded(bytes, start, stop))
  return (start, stop) => withoutRequest(text.slice(start, Math.min(stop, start + LONGEST_LINE)))
}

function decoded(bytes: Buffer, start: number, stop: number): string {
  return bytes.toString('utf8', start, Math.min(stop, start + MOST_BYTES)).slice(0, LONGEST_LINE)
}
