import type { Document } from './document.ts'

/** What a document was taken for: `read as a log`, or its kind. */
export function wordsFor({ kind, isPlain }: Pick<Document, 'kind' | 'isPlain'>): string {
  return isPlain ? `read as ${PLAIN[kind]}` : `kind ${kind}`
}

/** What a text was taken for that is no wire format. */
const PLAIN: Readonly<Record<string, string>> = {
  A: 'the answer of a model server',
  B: 'a log',
  C: 'the output of a GPU tool',
  D: 'what ssh said',
}
