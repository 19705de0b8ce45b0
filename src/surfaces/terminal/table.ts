import { wordsIn, wrapped } from '../../domain/wrap.ts'
import { aligned, widthOf } from './columns.ts'

type Row = readonly string[]

/** Between two columns. */
const GAP = 2
/** A value that has less room than this, in columns of the screen, stands in a block of its own. */
const LEAST = 12

/**
 * A table of a head and rows, in at most so many columns of the screen: aligned where it fits; else with words that go on
 * in the next line; else a block for each row. Nothing is cut: a word that is longer than a line stays whole.
 */
export function tableLines(head: Row, rows: readonly Row[], width: number): readonly string[] {
  const all = [head, ...rows]
  const natural = widths(all, widthOf)
  if (sum(natural) <= width) return aligned(all)
  const least = widths(all, (cell) => Math.min(widthOf(cell), Math.max(LEAST, longestWord(cell))))
  if (sum(least) > width) return blocks(head, rows, width)
  const fitting = shared(natural, least, width)
  return aligned(all.flatMap((row) => folded(row, fitting)))
}

/** Names and their values: a value goes on below its beginning. */
export function pairLines(pairs: readonly (readonly [string, string])[], width: number): readonly string[] {
  const label = Math.max(0, ...pairs.map(([name]) => widthOf(name)))
  const room = Math.max(LEAST, width - label - GAP)
  return aligned(
    pairs.flatMap(([name, value]) => wrapped(value, room, widthOf).map((line, at) => [at === 0 ? name : '', line])),
  )
}

function blocks(head: Row, rows: readonly Row[], width: number): readonly string[] {
  return rows.flatMap((row, at) => {
    const said = row.map((value, column) => [head[column] ?? '', value] as const).filter(([, value]) => value !== '')
    return [...(at === 0 ? [] : ['']), ...pairLines(said, width)]
  })
}

/** One row as lines of cells. */
function folded(row: Row, fitting: readonly number[]): readonly Row[] {
  const cells = row.map((cell, at) => wrapped(cell, fitting[at] ?? LEAST, widthOf))
  const lines = Math.max(1, ...cells.map((cell) => cell.length))
  return Array.from({ length: lines }, (_, at) => cells.map((cell) => cell[at] ?? ''))
}

/** Columns that need little get what they need; the others share the rest. */
function shared(natural: readonly number[], least: readonly number[], width: number): readonly number[] {
  const fitting = [...least]
  for (let room = width - sum(least); room > 0; room -= 1) {
    const open = fitting.flatMap((have, at) => (have < (natural[at] ?? 0) ? [at] : []))
    const [first, ...more] = open
    if (first === undefined) break
    const narrowest = more.reduce((one, at) => ((fitting[at] ?? 0) < (fitting[one] ?? 0) ? at : one), first)
    fitting[narrowest] = (fitting[narrowest] ?? 0) + 1
  }
  return fitting
}

function longestWord(text: string): number {
  return Math.max(0, ...wordsIn(text).map(widthOf))
}

function widths(rows: readonly Row[], of: (cell: string) => number): readonly number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => of(row[at] ?? ''))))
}

function sum(columns: readonly number[]): number {
  return columns.reduce((all, one) => all + one, GAP * Math.max(0, columns.length - 1))
}
