import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Explained } from '../domain/shown.ts'
import { wordsFor } from './diagnose/plain-words.ts'
import { readsIn } from './diagnose/reads.ts'

/** Documents of one text that are judged; a paste holds one, as a rule. */
const MOST = 20

/** Judges a text as `diagnose` judges its standard input. */
export async function explainText(text: string): Promise<Outcome<readonly Explained[]>> {
  const explained: Explained[] = []
  let problem = 'it is empty'
  for await (const { line, read } of readsIn(bytesOf(text))) {
    if (read.ok) explained.push({ what: wordsFor(read.document), finding: read.document.finding })
    else problem = `line ${line} ${read.problem}`
    if (explained.length === MOST) break
  }
  if (explained.length > 0) return ok(explained)
  return failed({ kind: 'shape', thing: 'what was shown', observed: problem, next: NEXT })
}

const NEXT = 'show the text itself: a log, the body of an answer, or what nvidia-smi prints'

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
