/** Lines of whole words, each at most so wide where its words are not longer. A space that does not break is no end of a word. */
export function wrapped(
  text: string,
  width: number,
  widthOf = (part: string): number => part.length,
): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of wordsIn(text)) {
    const longer = line === '' ? word : `${line} ${word}`
    const isFull = line !== '' && widthOf(longer) > width
    if (isFull) lines.push(line)
    line = isFull ? word : longer
  }
  return [...lines, line]
}

/** The parts of a text between which a line may end. */
export function wordsIn(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '')
}
