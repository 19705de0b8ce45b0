/** Prose with what varies in a counting loop folded away. `at[i]` is where character i stands in the original. */
export interface FoldedProse {
  readonly text: string
  readonly at: readonly number[]
  /** 0 to 1: how much of the original is prose */
  readonly share: number
}

/**
 * A run of digits becomes one `0`, a run of white space one blank, letters lower case. Fenced blocks and lines that
 * look like data, a form or code are left out: signals that read this text accuse them (a JSON file recurs by nature).
 */
export function foldedProse(text: string): FoldedProse {
  const folded: string[] = []
  const at: number[] = []
  let kept = 0
  for (const line of proseLines(text)) {
    kept += line.text.length
    for (const { 0: piece, index } of line.text.matchAll(/\d+|\s+|[^\d\s]/g)) {
      const one = fold(piece)
      if (one === ' ' && folded.at(-1) === ' ') continue
      folded.push(one)
      at.push(line.at + index)
    }
  }
  return { text: folded.join(''), at, share: kept / Math.max(text.length, 1) }
}

interface Line {
  /** with its line end */
  readonly text: string
  readonly at: number
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** how a line of data, of a list or of code begins or ends */
const DATA_LINE = /^\s*[[\]{}<"'#/]|^ {4}|^\t|^\s*[-*+] |(?:;|\\\\)\s*$/
/** columns, a form, an address of mail */
const HOLDS_DATA = /\||\S {3,}\S|_{4}|<[^\s<>@]{1,80}@[^\s<>@]{1,80}>/
/** A line that is longer is a whole answer without line ends: a single mark in it says nothing. */
const LONG_LINE = 400
/** Sentences have more letters. */
const FEWEST_LETTERS = 0.4
/** values between commas */
const VALUES = /^[^\s,]*(?:,[^\s,]*){2,}\s*$/
/** Code and tables have so many brackets, semicolons and hash signs, in one line as well. */
const MARKS = 0.04

function proseLines(text: string): Line[] {
  const lines: Line[] = []
  let fence: string | null = null
  for (const { 0: line, index } of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const mark = FENCE.exec(line)?.[1]?.charAt(0)
    if (mark !== undefined) fence = fence === null ? mark : fence === mark ? null : fence
    else if (fence === null && !isData(line)) lines.push({ text: line, at: index })
  }
  return lines
}

function isData(line: string): boolean {
  if (DATA_LINE.test(line) || marksIn(line) > MARKS * line.length) return true
  if (line.length > LONG_LINE) return lettersIn(line) < FEWEST_LETTERS * line.length
  return HOLDS_DATA.test(line) || isFigures(line) || VALUES.test(line)
}

function lettersIn(line: string): number {
  return line.match(/\p{L}/gu)?.length ?? 0
}

/** A whole line of them, as in a table, or of a reading with many: no sentence. */
function isFigures(line: string): boolean {
  if (!line.endsWith('\n') || !/\d/.test(line)) return false
  return !/\p{L}/u.test(line) || (!/[.!?:]\s*$/.test(line) && (line.match(/\d+/g)?.length ?? 0) >= FEWEST_FIGURES)
}

const FEWEST_FIGURES = 5

/** Those of formulas, as of \\boxed{4}, stand in sentences. */
function marksIn(line: string): number {
  return line.replace(/\\[a-z]+\{[^{}]*\}/g, '').match(/[{}[\];#<>|]|":/g)?.length ?? 0
}

function fold(piece: string): string {
  if (/^\d/.test(piece)) return '0'
  if (/^\s/.test(piece)) return ' '
  const lower = piece.toLowerCase()
  return lower.length === 1 ? lower : piece
}
