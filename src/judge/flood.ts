/** A text, or nearly all of it, that is one token again and again, of those that have the number 0 in some vocabulary. */
export interface Flood {
  /** `!`, `<unk>` */
  readonly unit: string
  readonly copies: number
}

/**
 * What token 0 is in the vocabularies of Qwen, GPT and DeepSeek (!), Llama and Mistral, Gemma; G, @ and ? are llama.cpp's.
 * At most the end of a text is looked at; null where it ends otherwise.
 */
export function floodIn(text: string): Flood | null {
  const end = text.slice(-LOOKED_AT)
  const flood = FLOOD.exec(end)?.[1]
  if (flood === undefined || flood.length < end.trim().length * MOST) return null
  return floodOf(flood)
}

/** A text of up to 2,000 characters that is nothing but such a token, however few of them; null for any other. */
export function wholeFlood(text: string): Flood | null {
  if (text.length > LOOKED_AT) return null
  const trimmed = text.trim()
  return WHOLE.test(trimmed) ? floodOf(trimmed) : null
}

function floodOf(flood: string): Flood {
  const unit = flood.startsWith('<') ? flood.slice(0, flood.indexOf('>') + 1) : flood.charAt(0)
  return { unit, copies: flood.split(unit).length - 1 }
}

const FLOOD = /(?:^|\s)((!)\2{59,}|(?:<unk>\s?){20,}|(?:<pad>\s?){20,}|(?:! ){40,}|G{60,}|@{60,}|\?{60,})\s*$/
const WHOLE = /^(?:(?:! ?)+|(?:<unk>\s?)+|(?:<pad>\s?)+|G+|@+|\?+)$/

const LOOKED_AT = 2000
const MOST = 0.9
