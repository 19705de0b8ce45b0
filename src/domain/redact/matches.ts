/**
 * The matches of a global pattern, one by one. matchAll copies its pattern at each call, which costs more than the search
 * in the short texts of tables. Nothing else may use the same pattern meanwhile.
 */
export function* matchesIn(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const next = pattern.lastIndex + (match[0] === '' ? 1 : 0)
    yield match
    pattern.lastIndex = next
  }
}
