const GRAM = 8
const REACH = 640
const WINDOW = 1500
const SHORTEST = 300

/**
 * How much (0 to 1) of the last 1,500 characters of a text stood there already within the 640 characters before: it
 * sees loops that drift, where a word changes in each copy. A shorter text is taken whole; below 300 it is 0.
 * Code and tables score high by nature: give it prose only, and never end a stream for it.
 */
export function recurringShare(text: string): number {
  if (text.length < SHORTEST) return 0
  const seen = recurs(text.slice(-WINDOW - REACH)).slice(-WINDOW)
  return seen.filter(Boolean).length / seen.length
}

/** For each character: whether the eight that end with it stood a little earlier too (by a 32-bit hash of them). */
function recurs(text: string): boolean[] {
  const last = new Map<number, number>()
  return Array.from({ length: text.length - GRAM + 1 }, (_, start) => {
    let hash = 0
    for (let index = start; index < start + GRAM; index += 1)
      hash = (Math.imul(hash, 0x01000193) ^ text.charCodeAt(index)) | 0
    const before = last.get(hash)
    last.set(hash, start)
    return before !== undefined && start - before <= REACH
  })
}
