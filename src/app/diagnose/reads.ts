import type { Read } from './document.ts'
import { readDocument } from './document.ts'
import { formOf } from './form.ts'
import { textsIn } from './lines.ts'
import { openingOf } from './opening.ts'
import { readPlain } from './plain.ts'

/** What an input holds, judged one after the other: its documents, each with the number of its line; or itself, as one. */
export async function* readsIn(input: AsyncIterable<Uint8Array>): AsyncGenerator<{ line: number; read: Read }> {
  const opening = await openingOf(input)
  if (opening.isWhole && opening.text.trim() === '') return
  const form = formOf(opening.text)
  if (form !== 'documents') {
    yield { line: 1, read: await readPlain(form, opening) }
    return
  }
  for await (const { line, text } of textsIn(opening.input))
    yield { line, read: text === null ? TOO_LONG : readDocument(text) }
}

const TOO_LONG: Read = { ok: false, problem: 'longer than 4 MiB, not read; cut the output in it to its two ends' }
