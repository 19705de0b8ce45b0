import type { Sign } from '../../domain/signature.ts'
import { MOST_SIGNS, SIGNS_EACH } from '../../domain/signature.ts'

/** A line that a signature takes. */
export interface Found {
  /** the signature's place in the list */
  readonly signature: number
  /** the number of the line */
  readonly at: number
  /** where it begins in the bytes that are scanned now */
  readonly start: number
}

/** What is told of it. */
type Reading = Pick<Sign, 'line' | 'fields' | 'above'>

/**
 * Keeps of each signature the first and the last signs, `MOST_SIGNS` in all, however many are found. Only those are read
 * that are still kept when their bytes are let go.
 */
export function signKeeper(names: readonly string[]): SignKeeper {
  const shelves = names.map((name): Shelf => ({ name, count: 0, first: [], last: [] }))
  const touched = new Set<Shelf>()
  let firsts = 0
  return {
    take(found) {
      const shelf = shelves[found.signature]
      if (shelf === undefined) return
      shelf.count += 1
      // what comes later than so many that are kept for certain is not told
      if (firsts >= MOST_SIGNS) return
      const isFirst = shelf.count <= SIGNS_EACH
      if (isFirst) firsts += 1
      const kept = isFirst ? shelf.first : shelf.last
      kept.push({ found, ordinal: shelf.count, reading: null })
      if (kept.length > SIGNS_EACH) kept.shift()
      touched.add(shelf)
    },
    settle(read) {
      for (const { first, last } of touched)
        for (const draft of [...first, ...last]) draft.reading ??= read(draft.found)
      touched.clear()
    },
    signs: () => signsOn(shelves),
    counts: () => Object.fromEntries(shelves.flatMap(({ name, count }) => (count === 0 ? [] : [[name, count]]))),
  }
}

export interface SignKeeper {
  take(found: Found): void
  /** Reads the signs that were found since the last call. */
  settle(read: (found: Found) => Reading): void
  signs(): readonly Sign[]
  counts(): Readonly<Record<string, number>>
}

/** The signs of one signature. */
interface Shelf {
  readonly name: string
  count: number
  readonly first: Draft[]
  readonly last: Draft[]
}

interface Draft {
  readonly found: Found
  /** from 1, among all of its signature */
  readonly ordinal: number
  reading: Reading | null
}

function signsOn(shelves: readonly Shelf[]): readonly Sign[] {
  return shelves
    .flatMap(({ name, count, first, last }) =>
      [...first, ...last.filter(({ ordinal }) => ordinal > count - SIGNS_EACH)].map((draft) => ({ name, draft })),
    )
    .toSorted(({ draft: { found: one } }, { draft: { found: other } }) =>
      one.at === other.at ? one.signature - other.signature : one.at - other.at,
    )
    .slice(0, MOST_SIGNS)
    .flatMap(({ name, draft: { found, reading } }) => (reading === null ? [] : [{ name, at: found.at, ...reading }]))
}
