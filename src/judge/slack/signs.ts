import type { Code } from '../../domain/code.ts'
import { count } from '../../domain/report.ts'

/** A line that a person wrote, as Slack delivered it. */
export interface Delivered {
  readonly surface: 'slash' | 'event'
  /** as it came */
  readonly text: string
  /** without the leading mention, links and entities read */
  readonly plain: string
  /** what the person typed, where somebody recorded it */
  readonly typed: string | null
  /** why it is no command, in the words of the format: `unknown host` …; null where it is one */
  readonly error: string | null
}

/** What a client or Slack did to a line. */
export interface Sign {
  readonly code: Code
  /** in a sentence about the line */
  readonly cause: string
  /** what is seen of it in the text; null where nothing is */
  readonly seen: string | null
}

/** Everything that was done to a line, what decides first. */
export function signsOf(delivered: Delivered): readonly Sign[] {
  return SIGNS.map(([code, cause, look]) => ({ code, cause, seen: look(delivered) })).filter(
    ({ seen }) => seen !== null,
  )
}

type Look = (delivered: Delivered) => string | null

const SIGNS: readonly (readonly [code: Code, cause: string, look: Look])[] = [
  ['slack.empty', 'no words came with it, so the default or the help is meant', ({ plain }) => empty(plain)],
  ['slack.long', 'the text is long; it is read whole, and shown by its beginning', ({ plain }) => long(plain)],
  [
    'slack.anchor-dropped',
    'Slack delivers only the label of a formatted link in a slash command, so its address is lost',
    dropped,
  ],
  [
    'slack.em-dash',
    'clients write one long dash for two; before a flag it counts as these, in a prompt it stays',
    ofPlain(/[—–]/g),
  ],
  [
    'slack.smart-quotes',
    'a client wrote typographic quotes; an outer pair delimits, an apostrophe inside belongs to the text',
    ofPlain(/[“”„‟«»‹›‘’‚]/g),
  ],
  ['slack.autolink', 'Slack wraps addresses as links; they are read as they were typed', links],
  ['slack.entities', 'Slack encodes &, < and > in the text of events; they are decoded once', entities],
  ['slack.code-fence', 'backticks arrive as they were typed, and belong to the text', ofPlain(/`+/g)],
  ['slack.mention', 'a mention stands among the words', mentions],
  [
    'slack.nbsp',
    'pasted spaces that do not break separate words like any other',
    ofPlain(/[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g),
  ],
  ['slack.zero-width', 'characters that nobody sees came along with pasted text, and are no part of a word', unseen],
  [
    'slack.unicode',
    'letters and signs beyond ASCII are read as they are',
    ofPlain(/[^\p{ASCII}—–“”„‟«»‹›‘’‚\p{Default_Ignorable_Code_Point}]/gu),
  ],
  ['slack.mention', 'the mention of the bot stands before the words, and any number of spaces between', leading],
]

function ofPlain(shape: RegExp): Look {
  return ({ plain }) => shown(plain.match(shape) ?? [])
}

/** `2 × U+201C, U+201D`: by their numbers, as most look alike. */
function shown(found: readonly string[]): string | null {
  if (found.length === 0) return null
  const names = [...new Set(found.flatMap((one) => [...one]).map(codePoint))]
  return `${count(found.length)} × ${names.slice(0, 6).join(', ')}${names.length > 6 ? ' …' : ''}`
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

function empty(plain: string): string | null {
  return /[^\s\p{Default_Ignorable_Code_Point}]/u.test(plain) ? null : 'no character that is seen'
}

/** Slack's own top-level text ends here. */
const LONG = 4_000

function long(plain: string): string | null {
  return plain.length > LONG ? `${count(plain.length)} characters` : null
}

function dropped({ text, typed }: Delivered): string | null {
  const typedLinks = typed?.slice(0, 4 * LONG).match(/\bhttps?:\/\/[^\s<>|)]+/g) ?? []
  const lost = typedLinks.filter((address) => !text.includes(address))
  return lost.length === 0
    ? null
    : `${count(lost.length)} of ${count(typedLinks.length)} typed addresses did not arrive`
}

const LINK = /<(?:https?|ftp|mailto|tel|ssh|file):[^<>]*>/gi

function links({ text, error }: Delivered): string | null {
  const wrapped = text.match(LINK)?.length ?? 0
  if (wrapped > 0) return `${count(wrapped)} × <address|label>`
  return error === 'unknown host' && /\bhttps?:\/\//i.test(text) ? 'an address, where a name is wanted' : null
}

function entities({ surface, text }: Delivered): string | null {
  const found = text.match(/&(?:amp|lt|gt);/g) ?? []
  return surface === 'slash' || found.length === 0 ? null : `${count(found.length)} × ${[...new Set(found)].join(' ')}`
}

function mentions({ plain, error }: Delivered): string | null {
  const found = plain.match(/<[@#!][^<>]*>/g)?.length ?? 0
  if (found > 0) return `${count(found)} × <@…>, <#…> or <!…>`
  return error === 'unknown host' && /(?:^|\s)[@#]\p{L}/u.test(plain) ? 'a name with @ or #' : null
}

function unseen({ plain }: Delivered): string | null {
  // selectors and joiners of emoji belong to them
  const found = plain.match(/(?![\uFE00-\uFE0F])\p{Default_Ignorable_Code_Point}/gu) ?? []
  const joined = plain.match(/(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D/gu)?.length ?? 0
  return found.length === joined ? null : shown(found)
}

function leading({ surface, text }: Delivered): string | null {
  return surface === 'event' && /<@[A-Z0-9]+/.test(text) ? '<@…> of the bot' : null
}
