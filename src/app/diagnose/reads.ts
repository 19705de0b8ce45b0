import { count } from '../../domain/report.ts'
import type { Read } from './document.ts'
import { readDocument } from './document.ts'
import { inUtf8 } from './encoded.ts'
import { formOf } from './form.ts'
import { textsIn } from './lines.ts'
import { openingOf } from './opening.ts'
import { readPlain } from './plain.ts'

/** What an input holds, judged one after the other: its documents, each with the number of its line; or itself, as one. */
export async function* readsIn(input: AsyncIterable<Uint8Array>): AsyncGenerator<{ line: number; read: Read }> {
  const given = await openingOf(input)
  const { encoding } = given
  if (encoding === 'gzip' || encoding === 'binary') {
    yield { line: 1, read: { ok: false, problem: NO_TEXT[encoding] } }
    return
  }
  const opening = encoding === 'utf-8' ? given : await openingOf(inUtf8(given.input, encoding))
  if (opening.isWhole && opening.text.trim() === '') return
  const form = formOf(opening.text)
  if (form !== 'documents') {
    yield { line: 1, read: await readPlain(form, opening) }
    return
  }
  for await (const { line, text, bytes } of textsIn(opening.input))
    yield { line, read: text === null ? tooLong(bytes) : readDocument(text) }
}

const NO_TEXT = {
  gzip: 'is compressed; unpack it before: zcat FILE | pilotflame diagnose',
  binary: 'is no text; give the log, the answer or the output of the tool itself',
} as const

function tooLong(bytes: number): Read {
  return {
    ok: false,
    problem: `longer than 4 MiB, not read: the document has ${count(bytes)} bytes; cut the output in it to its two ends`,
  }
}
