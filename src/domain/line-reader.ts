/** Cuts a text that comes in pieces into lines, in linear time. Of a line longer than `longest` characters only its beginning is kept. */
export function lineReader(longest: number): LineReader {
  let pieces: string[] = []
  let length = 0

  function keep(piece: string): void {
    const room = longest - length
    if (room > 0 && piece !== '') pieces.push(piece.slice(0, room))
    length += piece.length
  }

  function takeLine(): string {
    const line = pieces.join('')
    pieces = []
    length = 0
    return line
  }

  return {
    push(chunk) {
      const parts = chunk.split('\n')
      const last = parts.pop() ?? ''
      const lines = parts.map((part) => {
        keep(part)
        return takeLine()
      })
      keep(last)
      return lines
    },
    rest: takeLine,
  }
}

export interface LineReader {
  /** The lines that this piece completed, without their ends. */
  push(chunk: string): readonly string[]
  /** What came after the last line end. */
  rest(): string
}
