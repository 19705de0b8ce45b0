import type { Run } from './repetition.ts'
import { UNIT_SHOWN } from './repetition.ts'

/** Where a run stands: in sentences, in lines of code, in rows (table, list, form, markup), in a fence or an array. */
export type Layout = 'prose' | 'code' | 'rows' | 'data'

/** So many equal copies are a loop there: a planner has 24 equal rows, a chess board 64 equal cells. */
export const COPIES: Readonly<Record<Layout, number>> = { prose: 4, code: 25, rows: 25, data: 100 }

export interface LayoutWatch {
  /** Reads on; borders of pieces do not matter. */
  read(text: string): void
  /** the layout of a run that reaches to here; `unit` is one copy of it, wherever it was cut */
  of(run: Run, unit: string): Layout
}

/** Knows the layout of the text that it has read. White space has none: it counts as prose. */
export function layoutWatch(): LayoutWatch {
  let position = 0
  let line = ''
  let lineAt = 0
  let fenceAt: number | null = null
  let opensAsData: boolean | null = null

  function endLine(): void {
    if (FENCE.test(line)) fenceAt = fenceAt === null ? lineAt : null
    line = ''
    lineAt = position
  }

  /** The next characters of a line, of which only the first ones tell. */
  function begin(part: string): void {
    if (part === '') return
    line += part
    if (opensAsData === null && part.trim() !== '') opensAsData = DATA_LINE.test(line)
  }

  /** A loop that repeats whole lines or fences opens them itself: they do not shelter it. */
  function isData({ from }: Run): boolean {
    const inFence = fenceAt !== null && fenceAt <= from
    return inFence || opensAsData === true || (lineAt <= from && DATA_LINE.test(line))
  }

  return {
    read(text) {
      for (let from = 0; from <= text.length; ) {
        const end = text.indexOf('\n', from)
        begin(text.slice(from, Math.min(end === -1 ? text.length : end, from + LINE_HEAD - line.length)))
        if (end === -1) {
          position += text.length - from
          return
        }
        position += end + 1 - from
        from = end + 1
        endLine()
      }
    },
    of(run, unit) {
      if (unit.trim() === '') return 'prose'
      return isData(run) ? 'data' : ofLines(linesOf(unit), run.period)
    },
  }
}

const LINE_HEAD = 16
const FENCE = /^ {0,3}(```|~~~)/
const DATA_LINE = /^\s*[[{(|]/
const ROW = /^\s*(<[/!a-z]|\||([-*•]|\d+[.)])(\s+[\p{L}[]|\s*$)|#{1,6} |[-*=]{3}|["'][^"'\n]{0,60}["'][,;]?\s*$)|_{4}/iu
const CODE_LINE = /[;,{}()[\]>]\s*$/
/** A shorter unit that ends like code may be a half sentence. */
const SHORTEST_CODE = 40

function ofLines(lines: readonly string[], period: number): Layout {
  if (lines.length === 0) return 'prose'
  if (lines.every((text) => ROW.test(text))) return 'rows'
  const isCode = period > SHORTEST_CODE && lines.every((text) => ROW.test(text) || CODE_LINE.test(text))
  return isCode ? 'code' : 'prose'
}

/** The whole lines of what repeats; those of a long unit that is shown in part. */
function linesOf(unit: string): string[] {
  const text = unit.length < UNIT_SHOWN ? unit + unit : unit
  return text
    .split('\n')
    .slice(1, -1)
    .filter((part) => part.trim() !== '')
}
