import type { Word } from './words.ts'

/**
 * Whether the words after a command want its help: `--help` anywhere outside quotes and code; `help` or `-h` alone, as
 * both stand in sentences too ("what does ls -h do").
 */
export function asksForHelp(text: string, words: readonly Word[]): boolean {
  const [only, another] = words
  if (only !== undefined && another === undefined) return isHelpWord(only)
  return words.some((word) => isLongFlag(word) && !isInCode(text, word))
}

/** `help`, `--help`, `—help` as clients join dashes, `-h`; `-H` is a flag of curl. */
export function isHelpWord(word: Pick<Word, 'text' | 'quoted'>): boolean {
  return isLongFlag(word) || (!word.quoted && /^(?:[Hh][Ee][Ll][Pp]|-h)$/.test(word.text))
}

function isLongFlag({ text, quoted }: Pick<Word, 'text' | 'quoted'>): boolean {
  return !quoted && /^(?:--|[—–])[Hh]elp$/.test(text)
}

/** Whether a word stands between back-ticks, as pasted code does. */
function isInCode(text: string, { start, end }: Word): boolean {
  return text.slice(0, start).split('`').length % 2 === 0 && text.includes('`', end)
}
