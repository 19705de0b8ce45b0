import type { Word } from './words.ts'

/** Names of hosts, targets, commands and runs. A link or a mention is none (trust.md T9). */
export const NAME = /^[A-Za-z0-9_.-]{1,64}$/

/** People as the configuration names them, `T0123ABCD:U0123ABCD`, where a command takes them. */
export const MEMBER = /^[TE][A-Z0-9]{1,20}:[UW][A-Z0-9]{1,20}$/

/** The id in a mention, `<@U0123ABCD|anna>` or typed as `@U0123ABCD`; any other word as it is. */
export function memberId(word: string): string {
  return /^(?:<@([UW][A-Z0-9]{1,20})(?:\|[^<>]*)?>|@([UW][A-Z0-9]{1,20}))$/.exec(word)?.slice(1).find(Boolean) ?? word
}

/** `<#C0123ABCD|gpu>`, as a mention names a channel. */
const CHANNEL_MENTION = /^<#[A-Z0-9]{1,21}(?:\|[^<>]*)?>$/

/** What stands for no name of ours, whatever it shows: a link or an address, or a mention (trust.md T9). */
export type Stranger = 'link' | 'mention'

/** What keeps a word from being a name; null where neither does. */
export function strangerIn(text: string): Stranger | null {
  if (/<[@#!]|^[@#]\p{L}/u.test(text)) return 'mention'
  return /:\/\/|\b(?:mailto|tel):|[^\s@]@[^\s@]/i.test(text) ? 'link' : null
}

/** The same where a mention of a person or of a channel names one. */
export function strangerBeside(wanted: 'name' | 'person' | 'channel', text: string): Stranger | null {
  const fits = { name: false, person: memberId(text) !== text, channel: CHANNEL_MENTION.test(text) }
  return fits[wanted] ? null : strangerIn(text)
}

/** What it is, and why that is no name. */
export const STRANGERS: Readonly<Record<Stranger, string>> = {
  link: 'a link or an address, and what a link shows may not be where it leads',
  mention: 'a mention of a person or a channel, not a name',
}

/** An answer echoes so many characters of what somebody wrote, never all 12,000. */
export const ECHOED = 80

/** Names found in a line, and the word after them. */
interface Names {
  readonly next: number
  /** `qwen,llama` */
  readonly value: string
}

/** What may stand between two names: always a comma; `spaced`: a space or the word “and” as well. */
export type Between = 'commas' | 'spaced'

/**
 * The names from a word on: `qwen, llama`. Null where none stands there. A link or a mention at the place of one is among
 * them; behind a mere space it is what somebody says.
 */
export function namesAt(words: readonly Word[], at: number, between: Between): Names | null {
  const names: string[] = []
  let [next, wanted] = [at, true]
  for (let word = words[next]; word !== undefined; word = words[next]) {
    const parts = partsOf(word, next === at)
    const listed = wanted || word.text.startsWith(',')
    const joined = listed || between === 'spaced'
    const stray = !listed && parts?.some((part) => strangerIn(part) !== null) === true
    if (parts === null || !joined || stray) break
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
  return parts.every((part) => NAME.test(part) || strangerIn(part) !== null) ? parts : null
}

/** A model: its name, `ORG/NAME`, or the path of its folder. It is looked up and shown, and goes nowhere else. */
export const MODEL = /^[\w./~][\w./:@+~-]{0,299}$/
