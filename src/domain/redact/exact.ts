/** A piece of a text, in UTF-16 units: from, and up to but not including. */
export type Span = readonly [from: number, to: number]

/** Finds where a text contains any of many words: Aho-Corasick, one pass however many there are. */
export function finderOf(words: readonly string[]): (text: string) => readonly Span[] {
  const { steps, back, longest } = automaton(words)

  function after(state: number, unit: number): number {
    for (let from = state; ; from = back[from] ?? ROOT) {
      const to = steps[from]?.get(unit)
      if (to !== undefined) return to
      if (from === ROOT) return ROOT
    }
  }

  return (text) => {
    const found: Span[] = []
    let state = ROOT
    for (let at = 0; at < text.length; at += 1) {
      state = after(state, text.charCodeAt(at))
      const length = longest[state] ?? 0
      if (length > 0) found.push([at + 1 - length, at + 1])
    }
    return found
  }
}

const ROOT = 0

interface Automaton {
  /** by state: where a unit leads to */
  readonly steps: readonly Map<number, number>[]
  /** by state: the longest other beginning that the same text ends with */
  readonly back: readonly number[]
  /** by state: the length of the longest word that ends here, or 0 */
  readonly longest: readonly number[]
}

function automaton(words: readonly string[]): Automaton {
  const steps: Map<number, number>[] = [new Map()]
  const [back, longest] = [[ROOT], [0]]
  for (const word of words) longest[plant(word, steps)] = word.length
  // states in the order of their depth: what a state falls back to is ready before it
  const order = [...(steps[ROOT]?.values() ?? [])]
  for (const state of order) {
    back[state] ??= ROOT
    longest[state] = Math.max(longest[state] ?? 0, longest[back[state] ?? ROOT] ?? 0)
    for (const [unit, next] of steps[state] ?? []) {
      back[next] = fallback(back[state] ?? ROOT, unit, { steps, back })
      order.push(next)
    }
  }
  return { steps, back, longest }
}

/** Adds the states of one word; gives the one where it ends. */
function plant(word: string, steps: Map<number, number>[]): number {
  let state = ROOT
  for (let at = 0; at < word.length; at += 1) {
    const unit = word.charCodeAt(at)
    const next = steps[state]?.get(unit) ?? steps.length
    if (next === steps.length) steps.push(new Map())
    steps[state]?.set(unit, next)
    state = next
  }
  return state
}

function fallback(from: number, unit: number, { steps, back }: Pick<Automaton, 'steps' | 'back'>): number {
  for (let state = from; ; state = back[state] ?? ROOT) {
    const next = steps[state]?.get(unit)
    if (next !== undefined) return next
    if (state === ROOT) return ROOT
  }
}
