import type { Ask } from '../domain/ask.ts'
import { decoded, withoutMention } from './entities.ts'
import type { Unseen, Word } from './words.ts'
import { wordsOf } from './words.ts'

/** What was said, split: the command's word, and the words after it with their places in the text. */
export interface Line {
  readonly text: string
  /** in lower case; null where nothing was said */
  readonly head: string | null
  readonly words: readonly Word[]
  /** whether a shell has split it already */
  readonly split: boolean
}

/** The bot's own slash word may stand before any command. */
const OWN_WORD = 'pilotflame'

/** More words for ours: `acme-smoke` → `smoke`. */
export type MoreWords = ReadonlyMap<string, string>

/** Makes one line of every form in which surfaces hand over what was said. */
export function lineFrom({ said, how }: Ask, unseen: Unseen = 'joined', more: MoreWords = new Map()): Line {
  switch (said.form) {
    case 'plain':
      return { ...headed(said.text, wordsOf(said.text, unseen), said.word, more), split: false }
    case 'encoded': {
      const text = decoded(how === 'mention' ? withoutMention(said.text) : said.text)
      return { ...headed(text, wordsOf(text, unseen), null, more), split: false }
    }
    case 'words':
      return { ...headed(said.words.join(' '), placed(said.words), null, more), split: true }
  }
}

function headed(text: string, words: readonly Word[], slash: string | null, more: MoreWords): Omit<Line, 'split'> {
  const named = slash?.replace(/^\//, '').toLowerCase() ?? null
  if (named !== null && named !== OWN_WORD) return { text, head: named, words }
  const [first, ...rest] = words
  const said = first?.text.toLowerCase().replace(/^\//, '') ?? null
  const head = said === null ? null : (more.get(said) ?? said)
  return head === OWN_WORD ? headed(text, rest, null, more) : { text, head, words: rest }
}

/** A shell has split already: a word with spaces was quoted there. */
function placed(words: readonly string[]): readonly Word[] {
  let start = 0
  return words.map((text) => {
    const word = { text, quoted: /\s/.test(text) || text === '', start, end: start + text.length }
    start = word.end + 1
    return word
  })
}
