/** Rows as aligned text; the last column is as long as it is. */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => widthOf(row[at] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(cell.length + (widths[at] ?? 0) - widthOf(cell))))
      .join('  ')
      .trimEnd(),
  )
}

/** Columns that a text takes on a screen. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (WIDE.test(character)) width += 2
    else if (!NARROW.test(character)) width += 1
  }
  return width
}

/** The beginning that fits into so many columns. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let [kept, width] = ['', 1]
  for (const character of text) {
    width += widthOf(character)
    if (width > columns) break
    kept += character
  }
  return `${kept}…`
}

const WIDE = /[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303e\uff01-\uff60]/u
const NARROW = /\p{Mn}|\p{Me}|\u200d|\ufe0e|\ufe0f/u
