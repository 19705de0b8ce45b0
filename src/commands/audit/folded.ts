import type { Audit } from '../../domain/store.ts'

/** Newest first: one line for each ask. That it was started is shown only where nothing newer tells of the same ask. */
export function folded(lines: readonly Audit[]): readonly Audit[] {
  const told = new Set<string>()
  return lines.filter(({ ask, decision, result }) => {
    // a line of an older version names no ask: said twice rather than never
    if (ask === undefined) return true
    const isNewest = !told.has(ask)
    told.add(ask)
    return isNewest || decision !== 'allowed' || result !== 'started'
  })
}
