import type { Letter, Letters } from '../../../domain/letter.ts'
import { readable } from '../../../domain/outcome.ts'
import type { Log } from '../../../domain/ports.ts'
import type { Entry } from './letter.ts'

/** The rows of what is on its way. Where the store fails the letter goes out all the same, and the log says so. */
export interface Shelf {
  /** All of them together, or none: a crash leaves no half of an answer. */
  keep(entries: readonly Entry[]): Promise<void>
  /** Notes that a sending begins; null: that it surely did not arrive. */
  mark(entry: Entry, sentAt: number | null): Promise<void>
  drop(entry: Entry): Promise<void>
  /** Drops the row of what nobody can read. */
  forget(id: Letter['id']): Promise<void>
  /** what an earlier process left, oldest first */
  left(): Promise<readonly Letter[]>
}

/** A larger one (a file, say) is kept in memory only, in UTF-16 units. */
const LARGEST = 1_000_000

/** `store` null: nothing is written to disk, since prompts are not kept. */
export function shelf(store: Letters | null, log: Log): Shelf {
  async function forget(id: Letter['id']): Promise<void> {
    const dropped = await store?.dropLetter(id)
    if (dropped?.ok === false)
      log.error('A message that is done with is still noted as waiting', { failure: dropped.failure })
  }

  return {
    async keep(entries) {
      const kept = entries.filter(({ passing, letter }) => !passing && letter.content.length <= LARGEST)
      if (store === null || kept.length === 0) return
      const added = await store.addLetter(...kept.map(({ letter }) => letter))
      for (const entry of kept) entry.row = added.ok
      if (!added.ok) log.error('A message is not kept on disk; it goes out all the same', { failure: added.failure })
    },
    async mark(entry, sentAt) {
      entry.letter = { ...entry.letter, sentAt }
      if (store === null || !entry.row) return
      const marked = await store.markLetter(entry.letter.id, sentAt)
      if (!marked.ok) log.error('The sending of a message is not noted', { failure: marked.failure })
    },
    async drop(entry) {
      if (!entry.row) return
      entry.row = false
      await forget(entry.letter.id)
    },
    forget,
    async left() {
      if (store === null) return []
      const found = await store.letters()
      if (!found.ok) log.error('Messages that waited are not read', { failure: found.failure })
      return readable(found)
    },
  }
}
