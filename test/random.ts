/** Random choices that can be had again: a failing property prints its seed. */
export function random(seed: number): { below(limit: number): number; pick<T>(from: readonly T[]): T | undefined } {
  let state = seed >>> 0
  function below(limit: number): number {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  return { below, pick: (from) => from[below(from.length)] }
}

/** The seed of a test: the one in the environment, so that another can be tried, else its own, so that each run is the same. */
export function seedOf(variable: string, own: number): number {
  return Number(process.env[variable] ?? own)
}

/** Text of up to `longest` pieces out of an alphabet. */
export function randomText(seed: number, alphabet: readonly string[], longest: number): string {
  const { below, pick } = random(seed)
  return Array.from({ length: below(longest + 1) }, () => pick(alphabet) ?? '').join('')
}
