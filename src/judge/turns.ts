/** How many role names stand as a line's beginning, as in a transcript: `User:`, `### Assistant:`, `<|im_start|>user`. */
export function turns(text: string): number {
  return text.match(TURN)?.length ?? 0
}

/** Whether a text is a talk of several, as a model holds it with itself. */
export function isTalk(text: string): boolean {
  return turns(text) >= 3 && roles(text).size >= 2
}

/** The roles that take part, each once. Settings and types have fields called `user`: one role alone is no talk. */
export function roles(text: string): ReadonlySet<string> {
  const names = text.match(TURN)?.map((turn) => turn.toLowerCase().replace(/<\|[a-z_]+\|>|[^a-z]/g, '')) ?? []
  return new Set(names.map((name) => (name === 'human' ? 'user' : name)))
}

const TURN = /^[ \t]*(?:#{1,4} ?)?(?:<\|[a-z_]+\|>)?(?:system|user|assistant|human)(?: ?:|<\|)/gim
