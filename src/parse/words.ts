/** A word of a line, and where it stands there. */
export interface Word {
  /** without its quotes */
  readonly text: string
  /** whether the whole word stood in quotes */
  readonly quoted: boolean
  readonly start: number
  readonly end: number
}

/** What becomes of a character inside a word that nobody sees. */
export type Unseen = 'joined' | 'apart'

/**
 * Splits a typed line. Quotes, straight or curly (clients exchange them), delimit only in pairs at word borders, so that
 * apostrophes and inches stay; a double quote without partner takes the rest. Non-breaking spaces are spaces. What nobody
 * sees (zero-width spaces, joiners, direction marks: pasting brings them) is nothing around a word; inside one it is
 * nothing either, or a space where `unseen` is `apart`. A backslash is a backslash.
 */
export function wordsOf(line: string, unseen: Unseen = 'joined'): readonly Word[] {
  const words: Word[] = []
  const closing = closer(line)
  let start = skip(line, SPACES, 0)
  while (start < line.length) {
    const word = quotedAt(line, start, closing) ?? bareAt(line, start, unseen)
    words.push(word)
    start = skip(line, SPACES, word.end)
  }
  return words
}

/** Quotes that may close what each quote opens: “a”, „a“, »a«, "a" … */
export const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '„': '“”',
  '‟': '”',
  '”': '”',
  '«': '»',
  '»': '«',
  "'": "'",
  '‘': '’',
  '‚': '‘’',
  '’': '’',
}

const DOUBLE = '"“”„‟«»'
const UNSEEN = String.raw`\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF`
const SPACE = new RegExp(`[\\s${UNSEEN}]`)
const SPACES = new RegExp(`[\\s${UNSEEN}]*`, 'y')
const SEEN = `[^\\s${UNSEEN}]+`
const BARE: Readonly<Record<Unseen, RegExp>> = {
  joined: new RegExp(`${SEEN}(?:[${UNSEEN}]+${SEEN})*`, 'y'),
  apart: new RegExp(SEEN, 'y'),
}
const INSIDE = new RegExp(`[${UNSEEN}]+`, 'g')
const GLUED = new RegExp(`[^\\s${UNSEEN}][${UNSEEN}]+[^\\s${UNSEEN}]`)

/** Whether something stands inside a word that nobody sees. */
export function isGlued(line: string): boolean {
  return GLUED.test(line)
}

/** `--model=` and `model=`, whose value may be quoted too */
const NAME = /(?:(?:--|[—–])?[A-Za-z][\w-]*=)?/y

function quotedAt(line: string, start: number, closing: Closer): Word | null {
  const from = skip(line, NAME, start)
  const open = line[from] ?? ''
  if (!(open in QUOTES)) return null
  const close = closing(open, from + 1)
  if (close === null) return null
  const inside = line.slice(from + 1, close)
  return {
    text: line.slice(start, from) + inside,
    quoted: from === start,
    start,
    end: Math.min(close + 1, line.length),
  }
}

function bareAt(line: string, start: number, unseen: Unseen): Word {
  const end = skip(line, BARE[unseen], start)
  return { text: asTyped(line.slice(start, end)), quoted: false, start, end }
}

/** A pasted hyphen that does not break is a hyphen. */
function asTyped(word: string): string {
  return word.replace(INSIDE, '').replace(/[\u2010\u2011]/g, '-')
}

function skip(line: string, what: RegExp, from: number): number {
  what.lastIndex = from
  return from + (what.exec(line)?.[0].length ?? 0)
}

/** Where the quote that opened before `from` closes; the line's length where it takes the rest; null: it is no quote. */
type Closer = (open: string, from: number) => number | null

function closer(line: string): Closer {
  /** quotes for which nothing closes in the rest of the line: each is searched in vain only once */
  const never = new Set<string>()
  return (open, from) => {
    if (never.has(open)) return null
    const double = DOUBLE.includes(open)
    const partners = QUOTES[open] ?? ''
    const close = bordered(line, partners, from) ?? (double ? bordered(line, DOUBLE, from) : null)
    if (close !== null) return close
    const lonely = double && ![...partners].some((partner) => line.includes(partner, from))
    if (!lonely) never.add(open)
    return lonely ? line.length : null
  }
}

/** The first of `quotes` that ends a word. */
function bordered(line: string, quotes: string, from: number): number | null {
  for (let at = from; at < line.length; at += 1) {
    const next = line[at + 1]
    if (quotes.includes(line[at] ?? '') && (next === undefined || SPACE.test(next))) return at
  }
  return null
}
