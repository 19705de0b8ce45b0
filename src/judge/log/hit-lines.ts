import { withoutRequest } from '../../domain/redact/requests.ts'
import { LONGEST_LINE } from '../../domain/signature.ts'
import type { AnchorSearch } from './anchors.ts'
import { endOfLine, startOfLine, startsAbove } from './line-ends.ts'

/** A line that holds an anchor. */
export interface HitLine {
  /** where it begins */
  readonly start: number
  /** at most `LONGEST_LINE` characters of it, without what other people asked */
  readonly line: string
  /** the anchors that it holds, by their index; good for the time of the call */
  readonly anchors: ReadonlySet<number>
}

/** In the order of the bytes. */
export function eachHitLine(bytes: Buffer, search: AnchorSearch, tell: (hit: HitLine) => void): void {
  const anchors = new Set<number>()
  let start = 0
  let stop = 0
  const flush = (): void => {
    if (anchors.size > 0) tell({ start, line: textAt(bytes, start, stop), anchors })
    anchors.clear()
  }
  search(bytes, (at, anchor) => {
    if (at >= stop) {
      flush()
      start = startOfLine(bytes, at)
      stop = endOfLine(bytes, at)
    }
    anchors.add(anchor)
  })
  flush()
}

/** The lines directly above `start`, oldest first; `before` stood above all these bytes. */
export function linesAbove(bytes: Buffer, start: number, before: readonly string[], most: number): readonly string[] {
  const here = startsAbove(bytes, start, most).map((at) => textAt(bytes, at, endOfLine(bytes, at)))
  const missing = most - here.length
  return [...(missing === 0 ? [] : before.slice(-missing)), ...here.toReversed()]
}

/** So many bytes hold `LONGEST_LINE` characters, whatever they are. */
export const MOST_BYTES = 4 * LONGEST_LINE

/** Whatever is judged or quoted of a log comes through here, so nobody's prompt is either. */
function textAt(bytes: Buffer, start: number, stop: number): string {
  return withoutRequest(bytes.toString('utf8', start, Math.min(stop, start + MOST_BYTES)).slice(0, LONGEST_LINE))
}
