/** What a schema says of a value, in our words. What a command says itself stays as it is. */
export function inOurWords(message: string): string {
  for (const [pattern, words] of OF_THE_LIBRARY) {
    const [found, number = ''] = pattern.exec(message) ?? []
    if (found !== undefined) return words.replace('N', number)
  }
  return message
}

/** The library's own sentences for numbers and texts, as of zod 4. */
const OF_THE_LIBRARY: readonly (readonly [RegExp, string])[] = [
  [/^Too small: expected number to be >=(\S+)$/, 'at least N'],
  [/^Too small: expected number to be >(\S+)$/, 'more than N'],
  [/^Too big: expected (?:number|int) to be <=?(\S+)$/, 'at most N'],
  [/^Too big: expected string to have <=(\d+) characters$/, 'at most N characters'],
  [/^Invalid input: expected int,/, 'a whole number is wanted'],
  [/^Invalid input: expected number,/, 'a number is wanted'],
]
