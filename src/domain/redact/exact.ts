/** A piece of a text, in UTF-16 units: from, and up to but not including. */
export type Span = readonly [from: number, to: number]

/** A word, and the lengths of its beginnings that a cut between two words of it may leave. */
export interface Word {
  readonly text: string
  readonly begins: readonly number[]
}

/** What stands where an excerpt was cut off. */
const CUT = '…'

/**
 * Finds where a text contains any of many words, or what a cut left of one: beside a `…` any beginning or end of at least
 * `shortest` units, and such a beginning as its word names at the end of the text, where nothing says that it was cut. No
 * word may be shorter. Aho-Corasick: one pass however many words there are, and one backwards where there is a `…`.
 */
export function finderOf(words: readonly Word[], shortest: number): (text: string) => readonly Span[] {
  const forth = automaton(words)
  const back = automaton(words.map(turned))
  return (text) => {
    const found = forwards(text, forth, shortest)
    return text.includes(CUT) ? [...found, ...backwards(text, back, shortest)] : found
  }
}

function forwards(text: string, root: State, shortest: number): readonly Span[] {
  const found: Span[] = []
  let state = root
  for (let to = 1; to <= text.length; to += 1) {
    state = after(state, text.charCodeAt(to - 1), root)
    if (state.depth < shortest) continue
    const left = to === text.length ? state.begun : beside(text[to], state)
    const most = Math.max(state.whole, left)
    if (most > 0) found.push([to - most, to])
  }
  return found
}

/** The ends of words behind cuts. */
function backwards(text: string, root: State, shortest: number): readonly Span[] {
  const found: Span[] = []
  let state = root
  for (let from = text.length - 1; from > 0; from -= 1) {
    state = after(state, text.charCodeAt(from), root)
    const most = state.depth < shortest ? 0 : beside(text[from - 1], state)
    if (most > 0) found.push([from, from + most])
  }
  return found
}

/** How much of a word ends at a cut. */
function beside(neighbour: string | undefined, { depth }: State): number {
  return neighbour === CUT ? depth : 0
}

/** Backwards, unit by unit. */
function turned({ text }: Word): Word {
  return { text: text.split('').reverse().join(''), begins: [] }
}

interface State {
  /** where a unit leads to */
  readonly steps: Map<number, State>
  /** how much of a word the text ends with here */
  readonly depth: number
  /** the longest other beginning that the same text ends with; null of the root */
  back: State | null
  /** the length of the longest word that ends here, or 0 */
  whole: number
  /** the same of the beginnings that words name */
  begun: number
}

function stateAt(depth: number): State {
  return { steps: new Map(), depth, back: null, whole: 0, begun: 0 }
}

function automaton(words: readonly Word[]): State {
  const root = stateAt(0)
  for (const word of words) plant(word, root)
  // states in the order of their depth: what a state falls back to is ready before it
  const order = [root]
  for (const state of order) {
    const { back } = state
    state.whole = Math.max(state.whole, back?.whole ?? 0)
    state.begun = Math.max(state.begun, back?.begun ?? 0)
    for (const [unit, next] of state.steps) {
      next.back = after(back, unit, root)
      order.push(next)
    }
  }
  return root
}

/** Adds the states of one word. */
function plant({ text, begins }: Word, root: State): void {
  const named = new Set(begins)
  let state = root
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    const next = state.steps.get(unit) ?? stateAt(at + 1)
    state.steps.set(unit, next)
    if (named.has(at + 1)) next.begun = at + 1
    state = next
  }
  state.whole = text.length
}

/** Where a unit leads to from a state, or from what that falls back to. */
function after(from: State | null, unit: number, root: State): State {
  for (let state = from; state !== null; state = state.back) {
    const next = state.steps.get(unit)
    if (next !== undefined) return next
  }
  return root
}
