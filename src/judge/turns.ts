/** How many role names stand as a line's beginning, as in a transcript: `User:`, `### Assistant:`, `<|im_start|>user`. */
export function turns(text: string): number {
  return text.match(TURN)?.length ?? 0
}

const TURN = /^[ \t]*(?:#{1,4} ?)?(?:<\|[a-z_]+\|>)?(?:system|user|assistant|human)(?: ?:|<\|)/gim
