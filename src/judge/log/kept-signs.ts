import type { Sign } from '../../domain/signature.ts'
import { MOST_SIGNS, SIGNS_EACH } from '../../domain/signature.ts'

/** A line that a signature takes. */
export interface Found {
  /** the signature's place in the list */
  readonly signature: number
  readonly line: string
  /** the number of the line */
  readonly at: number
  readonly groups: Readonly<Record<string, string | undefined>> | undefined
  /** where it begins in the bytes that are scanned now */
  readonly start: number
}

/**
 * Keeps of each signature the first and the last signs, `MOST_SIGNS` in all, however many are found. The lines above are
 * read only of those that are still kept when their bytes are let go.
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
      kept.push({ found, ordinal: shelf.count, above: null })
      if (kept.length > SIGNS_EACH) kept.shift()
      touched.add(shelf)
    },
    settle(above) {
      for (const { first, last } of touched)
        for (const draft of [...first, ...last]) draft.above ??= above(draft.found.start)
      touched.clear()
    },
    signs: () => signsOn(shelves),
    counts: () => Object.fromEntries(shelves.flatMap(({ name, count }) => (count === 0 ? [] : [[name, count]]))),
  }
}

export interface SignKeeper {
  take(found: Found): void
  /** Reads what stands above the signs found since the last call. */
  settle(above: (start: number) => readonly string[]): void
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
  above: readonly string[] | null
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
    .map(({ name, draft: { found, above } }) => ({
      name,
      line: found.line,
      at: found.at,
      fields: fieldsOf(found.groups),
      above: above ?? [],
    }))
}

function fieldsOf(groups: Found['groups']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(groups ?? {}).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])),
  )
}
