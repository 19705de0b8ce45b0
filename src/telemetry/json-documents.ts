import { readJson } from '../domain/json.ts'

/** The JSON documents among the lines that a tool printed, and the lines that belong to none. */
export interface Documents {
  readonly values: readonly unknown[]
  /** in place of a document that cannot be read, a line that says so */
  readonly rest: readonly string[]
}

/**
 * A document begins at the start of a line, and ends on that line or on the next that begins with its bracket: so the AMD
 * tools print them, several in a row and with warnings between them.
 */
export function documentsIn(lines: readonly string[]): Documents {
  const values: unknown[] = []
  const rest: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const end = BEGINS.test(line) ? endOf(lines, at) : null
    const read = end === null ? null : readJson(lines.slice(at, end + 1).join('\n'))
    if (read?.ok === true) values.push(read.value)
    else rest.push(read === null ? line : UNREADABLE)
    at = end ?? at
  }
  return { values, rest }
}

/** A sentence may begin with a bracket too: `[WARNING] …` */
const BEGINS = /^(?:[[{]\s*$|\{\s*["}]|\[\s*[\]{["])/
const UNREADABLE = 'JSON that cannot be read, or does not end'

/** The last line of the document that begins here; one that was cut off goes on to the last of all. */
function endOf(lines: readonly string[], from: number): number {
  const first = lines[from] ?? ''
  if (first.trim().length > 1) return from
  const close = first.startsWith('[') ? ']' : '}'
  const end = lines.findIndex((line, at) => at > from && line.startsWith(close))
  return end < 0 ? lines.length - 1 : end
}
