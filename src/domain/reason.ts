/** The longest reason, in characters. */
export const LONGEST_REASON = 200

/** A reason as it is shown and kept: one line, and no double quote in it that would end it in a command line. */
export function reasonOf(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/["“”„‟«»]/g, "'")
    .trim()
}
