/** The known word that was probably meant: the one with the fewest edits, at most `within`; else null. Two letters that changed places are one edit. */
export function nearest(word: string, known: readonly string[], within: number): string | null {
  const meant = word.toLowerCase()
  let best: { readonly word: string; readonly edits: number } | null = null
  for (const one of known) {
    if (Math.abs(one.length - word.length) > within) continue
    const edits = editsBetween(meant, one.toLowerCase())
    if (edits <= within && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { word: one, edits }
  }
  return best?.word ?? null
}

function editsBetween(from: string, to: string): number {
  let above: readonly number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      const isTurned = at > 0 && column > 0 && letter === to[column - 1] && other === from[at - 1]
      const turned = isTurned ? (above[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1, turned))
    }
    above = row
    row = next
  }
  return row[to.length] ?? 0
}
