import type { Word } from './words.ts'

/** Names of hosts, targets, commands and runs. A link or a mention is none (trust.md T9). */
export const NAME = /^[A-Za-z0-9_.-]{1,64}$/

/** People as the configuration names them, `T0123ABCD:U0123ABCD`, where a command takes them. */
export const MEMBER = /^[TE][A-Z0-9]{1,20}:[UW][A-Z0-9]{1,20}$/

/** The id in a mention, `<@U0123ABCD|anna>` or typed as `@U0123ABCD`; any other word as it is. */
export function memberId(word: string): string {
  return /^(?:<@([UW][A-Z0-9]{1,20})(?:\|[^<>]*)?>|@([UW][A-Z0-9]{1,20}))$/.exec(word)?.slice(1).find(Boolean) ?? word
}

/** Names found in a line, and the word after them. */
interface Names {
  readonly next: number
  /** `qwen,llama` */
  readonly value: string
}

/** What may stand between two names: always a comma; `spaced`: a space or the word “and” as well. */
export type Between = 'commas' | 'spaced'

/** The names from a word on: `qwen, llama`. Null where none stands there. */
export function namesAt(words: readonly Word[], at: number, between: Between): Names | null {
  const names: string[] = []
  let [next, wanted] = [at, true]
  for (let word = words[next]; word !== undefined; word = words[next]) {
    const parts = partsOf(word, next === at)
    const joined = wanted || between === 'spaced' || word.text.startsWith(',')
    if (parts === null || !joined) break
    next += 1
    const isAnd = between === 'spaced' && names.length > 0 && word.text.toLowerCase() === 'and'
    if (!isAnd) names.push(...parts)
    wanted = isAnd || word.text.endsWith(',')
  }
  return names.length === 0 ? null : { next, value: [...new Set(names)].join(',') }
}

/** A word in quotes is a list only where it is the first and has a comma: elsewhere it is what somebody says. */
function partsOf({ text, quoted }: Word, first: boolean): readonly string[] | null {
  if (text.startsWith('--') || (quoted && !(first && text.includes(',')))) return null
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return parts.every((part) => NAME.test(part)) ? parts : null
}

/** A model: its name, `ORG/NAME`, or the path of its folder. It is looked up and shown, and goes nowhere else. */
export const MODEL = /^[\w./~][\w./:@+~-]{0,299}$/
