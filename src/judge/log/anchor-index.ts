import type { LogWriter, Signature } from '../../domain/signature.ts'
import type { AnchorSearch } from './anchors.ts'
import { anchorSearch } from './anchors.ts'
import { WRITER_MARKS } from './writers.ts'

/** Every anchor of the signatures and every mark of a writer, and whose each is. A list is indexed once: each log is read by the same one. */
export function anchorIndex(signatures: readonly Signature[]): AnchorIndex {
  const index = indexes.get(signatures) ?? indexed(signatures)
  indexes.set(signatures, index)
  return index
}

const indexes = new WeakMap<readonly Signature[], AnchorIndex>()

function indexed(signatures: readonly Signature[]): AnchorIndex {
  const owners = new Map<string, Owner>()
  const ownerOf = (text: string): Owner => {
    const owner = owners.get(text) ?? { signatures: [], writer: null }
    owners.set(text, owner)
    return owner
  }
  for (const [place, { anchors }] of signatures.entries())
    for (const anchor of anchors) ownerOf(anchor).signatures.push(place)
  for (const [writer, marks] of WRITER_MARKS) for (const mark of marks) ownerOf(mark).writer = writer
  const all = [...owners.values()]
  return {
    search: anchorSearch([...owners.keys()]),
    signaturesOf: (anchors) => merged(anchors, all),
    writerOf: (anchor) => all[anchor]?.writer ?? null,
    firstOf: (found) => WRITER_MARKS.find(([writer]) => found.has(writer))?.[0] ?? null,
  }
}

/** Nearly every line holds one anchor only, and in a log of a server at work nearly every line holds one. */
function merged(anchors: readonly number[], all: readonly Owner[]): readonly number[] {
  if (anchors.length === 1) return all[anchors[0] ?? -1]?.signatures ?? []
  const places = anchors.flatMap((anchor) => all[anchor]?.signatures ?? [])
  return [...new Set(places)].toSorted((one, other) => one - other)
}

export interface AnchorIndex {
  readonly search: AnchorSearch
  /** The places of the signatures that have one of these anchors, in order. */
  signaturesOf(anchors: readonly number[]): readonly number[]
  /** Whose mark it is. */
  writerOf(anchor: number): LogWriter | null
  /** Who wrote a log that holds marks of these; null of none. */
  firstOf(found: ReadonlySet<LogWriter>): LogWriter | null
}

interface Owner {
  readonly signatures: number[]
  writer: LogWriter | null
}
