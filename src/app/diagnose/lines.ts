/** One text of the input, with the number of the line on which it begins; null where it is longer than we read. */
export interface Text {
  readonly line: number
  readonly text: string | null
  /** of all of it, also of what is not read */
  readonly bytes: number
}

/** The longest text that is read, in bytes. */
const LONGEST = 4 * 1024 * 1024

/** The texts of an input: its lines; or all of it where it is one document over several lines, which begins with `{`. */
export async function* textsIn(input: AsyncIterable<Uint8Array>): AsyncGenerator<Text> {
  const lines = linesIn(input)
  for await (const one of lines) {
    if (one.text === null) yield one
    else if (OPENING.test(one.text)) return yield* rest(one, lines)
    else if (one.text.trim() !== '') yield one
  }
}

const OPENING = /^\s*[{[]\s*$/

/** What began on one line and goes to the end, as one text. */
async function* rest(first: Text, lines: AsyncIterable<Text>): AsyncGenerator<Text> {
  const parts = [first.text ?? '']
  let { bytes } = first
  for await (const next of lines) {
    bytes += next.bytes + 1
    if (bytes <= LONGEST) parts.push(next.text ?? '')
  }
  yield { line: first.line, text: bytes > LONGEST ? null : parts.join('\n'), bytes }
}

const NEWLINE = 10

/** Lines without their ends and without a byte order mark; of one that is too long nothing is kept. */
async function* linesIn(input: AsyncIterable<Uint8Array>): AsyncGenerator<Text> {
  let line = 1
  let bytes = 0
  let parts: Uint8Array[] = []
  const take = (part: Uint8Array): void => {
    bytes += part.length
    if (bytes > LONGEST) parts = []
    else parts.push(part)
  }
  const end = (): Text => {
    const text = bytes > LONGEST ? null : textOf(parts)
    const done = { line, text, bytes }
    line += 1
    bytes = 0
    parts = []
    return done
  }
  for await (const chunk of input) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at))
      yield end()
      from = at + 1
    }
    take(chunk.subarray(from))
  }
  if (bytes > 0) yield end()
}

/** A decoder takes a byte order mark away by itself. */
function textOf(parts: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(parts)).replace(/\r$/, '')
}
