/** Prose with what varies in a counting loop folded away. `at[i]` is where character i stands in the original. */
export interface FoldedProse {
  readonly text: string
  readonly at: readonly number[]
}

/**
 * A run of digits becomes one `0`, a run of white space one blank, letters lower case. Fenced blocks and lines that
 * look like data, a form or code are left out: signals that read this text accuse them (a JSON file recurs by nature).
 */
export function foldedProse(text: string): FoldedProse {
  const folded: string[] = []
  const at: number[] = []
  for (const line of proseLines(text)) {
    for (const { 0: piece, index } of line.text.matchAll(/\d+|\s+|[^\d\s]/g)) {
      const one = fold(piece)
      if (one === ' ' && folded.at(-1) === ' ') continue
      folded.push(one)
      at.push(line.at + index)
    }
  }
  return { text: folded.join(''), at }
}

interface Line {
  /** with its line end */
  readonly text: string
  readonly at: number
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const DATA_LINE = /\||^\s*[[\]{}<"'#/]|^ {4}|^\t|^\s*[-*+] |;\s*$|_{4}/

function proseLines(text: string): Line[] {
  const lines: Line[] = []
  let fence: string | null = null
  for (const { 0: line, index } of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const mark = FENCE.exec(line)?.[1]?.charAt(0)
    if (mark !== undefined) fence = fence === null ? mark : fence === mark ? null : fence
    else if (fence === null && !DATA_LINE.test(line)) lines.push({ text: line, at: index })
  }
  return lines
}

function fold(piece: string): string {
  if (/^\d/.test(piece)) return '0'
  if (/^\s/.test(piece)) return ' '
  const lower = piece.toLowerCase()
  return lower.length === 1 ? lower : piece
}
