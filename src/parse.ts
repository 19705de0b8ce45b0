import type { Ask } from './domain/ask.ts'
import type { Bound, Command, RawArgs } from './domain/command.ts'
import { excerpt } from './domain/excerpt.ts'
import type { Rest } from './parse/arguments.ts'
import { readArguments } from './parse/arguments.ts'
import type { What } from './parse/flags.ts'
import { asksForHelp, isHelpWord } from './parse/help.ts'
import type { Line, MoreWords } from './parse/line.ts'
import { lineFrom } from './parse/line.ts'
import { ECHOED } from './parse/names.ts'
import { verbMeant, wordsMeant } from './parse/near.ts'
import type { Word } from './parse/words.ts'
import { isGlued } from './parse/words.ts'

export { lineOf } from './parse/line-of.ts'

export type Parsed = Call | Problem | Help | Silence

/** A command with arguments that fit it. */
export interface Call {
  readonly kind: 'call'
  readonly command: Command
  readonly raw: RawArgs
  readonly bound: Extract<Bound, { ok: true }>
}

/** It cannot be run. The text says what was found and what to write instead. */
export interface Problem {
  readonly kind: 'problem'
  readonly what: What
  /** the command that was meant; null where none is known */
  readonly command: Command | null
  readonly text: string
}

/** Help is wanted, for one command, for all that begin with its word, or for all there are (null). */
export interface Help {
  readonly kind: 'help'
  readonly command: Command | null
  /** whether only its word was named, and others begin with it too */
  readonly family: boolean
}

/** Nobody asked us: people talk in a thread of ours. */
interface Silence {
  readonly kind: 'silence'
}

/** Longer lines are not read at all: a prompt of 12,000 characters and its flags fit. */
const LONGEST_LINE = 16_000

/**
 * What an ask means. A reply without mention counts only where the whole line is a reading command and nothing else;
 * everywhere else there is an answer, also to nonsense.
 */
export function parse(ask: Ask, commands: readonly Command[], words: MoreWords = new Map()): Parsed {
  const more = moreWords(ask, commands, words)
  const line = lineFrom(ask, 'joined', more)
  if (ask.how === 'thread') return unasked(line, commands)
  if (line.text.length > LONGEST_LINE && !takesText(line, commands)) return tooLong(line)
  const { parsed } = meaning(line, commands)
  if (parsed.kind !== 'problem' || isStrange(parsed) || !isGlued(line.text)) return parsed
  const apart = meaning(lineFrom(ask, 'apart', more), commands).parsed
  return apart.kind === 'problem' ? parsed : apart
}

/** A link stays one, however it is cut apart. */
function isStrange({ what }: Problem): boolean {
  return what === 'link' || what === 'mention'
}

/** The workspace's own words may stand for ours, never for another command, and not in talk that does not mention us. */
function moreWords({ how }: Ask, commands: readonly Command[], words: MoreWords): MoreWords {
  if (how === 'thread') return new Map()
  return new Map([...words].filter(([word]) => commands.every((one) => one.word !== word)))
}

interface Meaning {
  readonly parsed: Parsed
  /** may be talk as well: free text, nothing at all, or the bare first word of several commands */
  readonly loose: boolean
}

function unasked(line: Line, commands: readonly Command[]): Parsed {
  if (line.text.length > LONGEST_LINE) return { kind: 'silence' }
  const { parsed, loose } = meaning(line, commands)
  if (loose || parsed.kind === 'problem') return { kind: 'silence' }
  if (parsed.kind !== 'call') return parsed
  const { access, needsMention } = parsed.command
  return needsMention || !['anyone', 'read'].includes(access) ? { kind: 'silence' } : parsed
}

function meaning({ text, head, words, split }: Line, commands: readonly Command[]): Meaning {
  if (head === null || isHelpWord({ text: head, quoted: false }))
    return { parsed: helpOn(words, commands), loose: head === null || words.length > 1 }
  const family = commands.filter((one) => one.word === head)
  if (family.length === 0) return { parsed: unknown(head, commands), loose: false }
  const help = helpAsked(text, words, family)
  if (help !== null) return help
  return choose({ line: text, words, split }, family)
}

/** A verb counts only where the whole line parses with it; else the words are for the command that has no verb. */
function choose(rest: Rest, family: readonly Command[]): Meaning {
  const plain = family.find((one) => one.verb === null)
  const verbal = member(rest.words, family)
  if (verbal !== undefined) {
    const read = call({ ...rest, words: rest.words.slice(1) }, verbal)
    if (isForVerb(read.parsed) || plain?.takes !== 'prompt') return read
  }
  if (plain !== undefined) return call(rest, plain)
  const [first] = rest.words
  if (first === undefined) return { parsed: helpOf(undefined, family), loose: true }
  return { parsed: unknownVerb(first, family), loose: false }
}

/** A link behind a flag of a verb was meant for that verb, though it names nothing there. */
function isForVerb(parsed: Parsed): boolean {
  return parsed.kind === 'call' || (parsed.kind === 'problem' && isStrange(parsed))
}

function call(rest: Rest, command: Command): Meaning {
  const read = readArguments(rest, command)
  if (!read.ok)
    return { parsed: problem(read.what, command, `${nameOf(command)}: ${read.observed}`, read.next), loose: false }
  const bound = command.bind(read.raw)
  const parsed: Parsed = bound.ok
    ? { kind: 'call', command, raw: read.raw, bound }
    : { kind: 'problem', what: 'value', command, text: `${nameOf(command)}: ${bound.problem}` }
  return { parsed, loose: read.loose }
}

function member(words: readonly Word[], family: readonly Command[]): Command | undefined {
  const [first] = words
  if (first === undefined || first.quoted) return undefined
  return family.find((one) => one.verb === first.text.toLowerCase())
}

/** Between the words of a sentence `--help` may be talk. */
function helpAsked(text: string, words: readonly Word[], family: readonly Command[]): Meaning | null {
  const isShown = words.length > 1 && family.some(({ takes }) => takes === 'text')
  if (isShown || !asksForHelp(text, words)) return null
  const about = member(words, family)
  const rest = about === undefined ? words : words.slice(1)
  const loose = rest.some((word) => !word.quoted && !isHelpWord(word))
  return { parsed: helpOf(about, family), loose }
}

function helpOf(about: Command | undefined, family: readonly Command[]): Help {
  const plain = family.find((one) => one.verb === null)
  const command = about ?? plain ?? family[0] ?? null
  return { kind: 'help', command, family: about === undefined && family.length > 1 }
}

function helpOn(words: readonly Word[], commands: readonly Command[]): Parsed {
  const [first] = words
  if (first === undefined) return { kind: 'help', command: null, family: false }
  const family = commands.filter((one) => one.word === first.text.toLowerCase().replace(/^\//, ''))
  return family.length === 0 ? unknown(first.text, commands) : helpOf(member(words.slice(1), family), family)
}

function unknown(head: string, commands: readonly Command[]): Problem {
  const meant = wordsMeant(head, commands)
  const next = meant === null ? 'type help to see what can be asked' : `did you mean ${meant}? Or type help`
  return problem('command', null, `There is no command “${excerpt(head, ECHOED)}”`, next)
}

function unknownVerb(word: Word, family: readonly Command[]): Problem {
  const meant = verbMeant(word.text, family)
  const verbs = family.flatMap((one) => one.verb ?? [])
  const next = meant === null ? `use one of ${verbs.join(', ')}` : `did you mean ${meant}?`
  return problem('verb', family[0] ?? null, `${family[0]?.word ?? ''} has no “${excerpt(word.text, ECHOED)}”`, next)
}

/** What somebody shows may be as long as the chat delivers it. */
function takesText({ head }: Line, commands: readonly Command[]): boolean {
  return commands.some(({ word, takes }) => word === head && takes === 'text')
}

function tooLong({ text }: Line): Problem {
  const [had, most] = [text.length.toLocaleString('en-US'), LONGEST_LINE.toLocaleString('en-US')]
  return problem('length', null, `The line has ${had} characters, and at most ${most} are read`, 'shorten it')
}

function problem(what: What, command: Command | null, observed: string, next: string): Problem {
  return { kind: 'problem', what, command, text: `${observed}. Next: ${next}${/[?.]$/.test(next) ? '' : '.'}` }
}

function nameOf({ word, verb }: Command): string {
  return verb === null ? word : `${word} ${verb}`
}
