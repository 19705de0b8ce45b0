/** Tokens by id, their kinds in GGUF's numbering, and the way from a text to its id. */
export interface Vocabulary {
  readonly tokens: readonly string[]
  readonly kinds: readonly number[]
  /** Throws where no token has this text: then a chain of the generator is wrong. */
  id(text: string): number
}

export const END = '<|im_end|>'
export const PADDING = '<|endoftext|>'
export const THINK_END = '</think>'

const NORMAL = 1
const CONTROL = 3
const USER_DEFINED = 4

/**
 * Ids 0 to 255 are single bytes, then come "\n\n", the control tokens, the thinking tags (user-defined, so that they
 * stay visible in the text), the phrases, and fillers up to a multiple of 32. A phrase of one byte is its byte token.
 */
export function vocabulary(phrases: readonly string[]): Vocabulary {
  const entries = [
    ...Array.from({ length: 256 }, (_, byte) => entry(Buffer.of(byte).toString('latin1'), printed(byte), NORMAL)),
    entry('\n\n', mapped('\n\n'), NORMAL),
    ...[PADDING, '<|im_start|>', END].map((tag) => entry(tag, tag, CONTROL)),
    ...['<think>', THINK_END].map((tag) => entry(tag, tag, USER_DEFINED)),
  ]
  const known = new Set(entries.map(({ text }) => text))
  const own = [...new Set(phrases)].filter((phrase) => !known.has(phrase))
  entries.push(...own.map((phrase) => entry(phrase, mapped(phrase), NORMAL)))
  const unused = Math.ceil(entries.length / 32) * 32 - entries.length
  for (let n = 0; n < unused; n++) entries.push(entry(`<|unused${n}|>`, `<|unused${n}|>`, CONTROL))
  const ids = new Map(entries.map(({ text }, id) => [text, id]))
  return {
    tokens: entries.map(({ token }) => token),
    kinds: entries.map(({ kind }) => kind),
    id(text) {
      const id = ids.get(text)
      if (id === undefined) throw new Error(`no token has the text ${JSON.stringify(text)}`)
      return id
    },
  }
}

function entry(text: string, token: string, kind: number) {
  return { text, token, kind }
}

/** A text as GPT-2's byte map writes it: a space becomes Ġ, a newline Ċ. */
function mapped(text: string): string {
  return [...Buffer.from(text)].map(printed).join('')
}

/** Printable bytes stand for themselves, the others for U+0100 and upwards in their order. */
function printed(byte: number): string {
  return String.fromCodePoint(isPrintable(byte) ? byte : 0x100 + HIDDEN.indexOf(byte))
}

function isPrintable(byte: number): boolean {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
}

const HIDDEN = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !isPrintable(byte))
