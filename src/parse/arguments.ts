import type { Command, Flag, RawArgs } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import type { FlagProblem, Found } from './flags.ts'
import { flagAt, listAt, looksLikeFlag, nameOf, unknownFlag } from './flags.ts'
import type { Between } from './names.ts'
import { ECHOED, MEMBER, MODEL, memberId, NAME, STRANGERS, strangerIn } from './names.ts'
import type { Word } from './words.ts'
import { wordsOf } from './words.ts'

export type Read = { readonly ok: true; readonly raw: RawArgs; readonly loose: boolean } | Unreadable

interface Unreadable extends FlagProblem {
  readonly ok: false
}

/** What stands after a command, before the command's own schema has seen it. */
export interface Rest {
  readonly line: string
  readonly words: readonly Word[]
  /** whether a shell has split it: there a prompt is one word, and what looks like a flag is meant as one */
  readonly split: boolean
}

/** A prompt may be this long, in characters; more does not fit Slack's own slash commands. */
const LONGEST_PROMPT = 12_000
const MOST_WORDS = 200

/** Reads flags, and the rest as the command takes it. `loose` tells of a prompt without quotes, or of free words. */
export function readArguments(rest: Rest, command: Command): Read {
  switch (command.takes) {
    case 'prompt':
      return readPrompt(rest, command.flags)
    case 'reason':
      return aboutSomething(readPrompt(rest, command.flags), command)
    case 'text':
      return readText(rest, command.flags)
    case 'words':
    case 'people':
    case 'models':
    case 'nothing':
      return readWords(rest, command)
  }
}

/** Flags count before the text only: what is pasted is full of them. */
function readText({ line, words, split }: Rest, flags: readonly Flag[]): Read {
  const found = leading(words, flags)
  const given = together(found)
  if (!given.ok) return given
  const [first, ...more] = words.slice(found.at(-1)?.next ?? 0)
  if (first !== undefined && more.length === 0 && looksLikeFlag(first)) {
    return { ok: false, ...unknownFlag(nameOf(first), flags, split) }
  }
  const text = first === undefined ? '' : line.slice(first.start).trim()
  return { ok: true, raw: { prompt: text || null, words: [], flags: given.flags }, loose: text !== '' }
}

/** Flags count at both ends only; what stands between them is the prompt, character for character. */
function readPrompt({ line, words, split }: Rest, flags: readonly Flag[]): Read {
  const left = leading(words, flags)
  const from = left.at(-1)?.next ?? 0
  const tail = tailOf(words, from, split, flags)
  const until = tail?.from ?? trailingFrom(words, from, flags)
  const middle = words.slice(from, until)
  const stray = strayFlag(middle, split)
  if (stray !== undefined) return { ok: false, ...unknownFlag(nameOf(stray), flags, split) }
  const [only, another] = middle
  const whole = only === undefined ? '' : line.slice(only.start, middle.at(-1)?.end)
  const quoted = only?.quoted === true && another === undefined
  const prompt = (quoted ? only.text : whole).trim()
  if (prompt.length > LONGEST_PROMPT) return tooLong(prompt.length)
  const right = tail?.found ?? leading(words.slice(until), flags)
  const found = together([...left, ...right])
  if (!found.ok) return found
  return { ok: true, raw: { prompt: prompt || null, words: [], flags: found.flags }, loose: prompt !== '' && !quoted }
}

/** Where --target does not say what a reason is about, its first word may, and nobody guesses what a link stands for. */
function aboutSomething(read: Read, command: Command): Read {
  if (!read.ok || 'target' in read.raw.flags) return read
  const [first] = wordsOf(read.raw.prompt ?? '')
  return first === undefined || strangerIn(first.text) === null ? read : { ok: false, ...noName(first.text, command) }
}

interface Tail {
  readonly from: number
  readonly found: readonly Found[]
}

/**
 * What follows a prompt in quotes, or stands where there is no prompt, and has a list without dashes in it: `"Say hello"
 * on qwen, llama`. Null where anything else stands there: then those words are the prompt's own.
 */
function tailOf(words: readonly Word[], from: number, split: boolean, flags: readonly Flag[]): Tail | null {
  const alone = tailFrom(words, from, flags, 'commas')
  const first = words[from]
  if (alone !== null || first === undefined) return alone
  return first.quoted || split ? tailFrom(words, from + 1, flags, 'spaced') : null
}

function tailFrom(words: readonly Word[], from: number, flags: readonly Flag[], between: Between): Tail | null {
  const found: Found[] = []
  let [at, lists] = [from, 0]
  while (at < words.length) {
    const list = listAt(words, at, flags, between)
    const one = list ?? flagAt(words, at, flags)
    if (one === null) return null
    found.push(one)
    lists += list === null ? 0 : 1
    at = one.next
  }
  return lists === 0 ? null : { from, found }
}

/** A flag that nobody knows, beside a prompt in quotes. In a prompt without quotes it is a word like any other. */
function strayFlag(middle: readonly Word[], split: boolean): Word | undefined {
  const [first, second] = middle
  if (split) return middle.find(looksLikeFlag)
  if (first?.quoted === true) return second !== undefined && looksLikeFlag(second) ? second : undefined
  const before = middle.length <= 3 && middle.at(-1)?.quoted === true
  return before && first !== undefined && looksLikeFlag(first) ? first : undefined
}

function leading(words: readonly Word[], flags: readonly Flag[]): readonly Found[] {
  const found: Found[] = []
  for (let flag = flagAt(words, 0, flags); flag !== null; flag = flagAt(words, flag.next, flags)) found.push(flag)
  return found
}

/** The first word from which on the line holds flags only. */
function trailingFrom(words: readonly Word[], from: number, flags: readonly Flag[]): number {
  const onlyFlags = new Set([words.length])
  let first = words.length
  for (let at = words.length - 1; at >= from; at -= 1) {
    const flag = flagAt(words, at, flags)
    if (flag === null || !onlyFlags.has(flag.next)) continue
    onlyFlags.add(at)
    first = at
  }
  return first
}

function readWords({ words, split }: Rest, command: Command): Read {
  if (words.length > MOST_WORDS) return tooMany(words.length)
  const [found, free]: [Found[], string[]] = [[], []]
  for (let at = 0; at < words.length; ) {
    const [word, flag] = [words[at], flagAt(words, at, command.flags)]
    if (word === undefined) break
    if (flag === null && looksLikeFlag(word)) {
      return { ok: false, ...unknownFlag(nameOf(word), command.flags, split) }
    }
    if (flag === null) free.push(asTaken(word, command))
    else found.push(flag)
    at = flag?.next ?? at + 1
  }
  const wrong = wrongWord(free, command)
  if (wrong !== null) return { ok: false, ...wrong }
  const flags = together(found)
  return flags.ok ? { ok: true, raw: { prompt: null, words: free, flags: flags.flags }, loose: free.length > 0 } : flags
}

function asTaken({ text }: Word, { takes }: Command): string {
  return takes === 'people' ? memberId(text) : text
}

function wrongWord(words: readonly string[], command: Command): FlagProblem | null {
  const { takes, usage } = command
  if (takes === 'nothing' && words.length > 0)
    return {
      what: 'words',
      observed: `it takes no words, but “${excerpt(words.join(' '), ECHOED)}” was given`,
      next: `write ${usage}`,
    }
  const odd = words.filter((word) => !isName(word, command))
  const worst = odd.find((word) => strangerIn(word) !== null) ?? odd[0]
  return worst === undefined ? null : noName(worst, command)
}

function isName(word: string, { takes }: Command): boolean {
  if (NAME.test(word)) return true
  return takes === 'people' ? MEMBER.test(word) : takes === 'models' && MODEL.test(word) && !word.includes('://')
}

/** Why a word names nothing that the command is about, and what to write. */
function noName(word: string, { takes, usage, targetFirst }: Command): FlagProblem {
  const [said, stranger] = [`“${excerpt(word, ECHOED)}”`, strangerIn(word)]
  const [what, why] = stranger === null ? (['name', ''] as const) : [stranger, `: it is ${STRANGERS[stranger]}`]
  const named = `write a name from pilotflame.yml: ${usage}`
  const unknown =
    stranger === null ? 'is not a name, so it is an unknown host or target' : `is an unknown host or target${why}`
  switch (takes) {
    case 'models':
      return {
        what,
        observed: `${said} is no name or path of a model${why}`,
        next: `write it as Hugging Face or config.json has it, such as Qwen/Qwen3.6-27B. Usage: ${usage}`,
      }
    case 'people':
      return {
        what,
        observed: `${said} is no member id${stranger === 'link' ? why : DISPLAYED}`,
        next: `write the id instead: in Slack open that person’s profile, ⋮, Copy member ID. Usage: ${usage}`,
      }
    case 'reason':
      return {
        what,
        observed: `${said} ${unknown}`,
        next: targetFirst ? `${named}. Or put --target NAME before a reason that begins so` : named,
      }
    case 'words':
    case 'prompt':
    case 'text':
    case 'nothing':
      return { what, observed: `${said} ${unknown}`, next: named }
  }
}

const DISPLAYED = ', and display names decide nothing here, since anybody may take any'

type Together = { readonly ok: true; readonly flags: RawArgs['flags'] } | Unreadable

function together(found: readonly Found[]): Together {
  const seen = new Map<string, string>()
  for (const { name, value, problem } of found) {
    if (problem !== null) return { ok: false, ...problem }
    if (seen.has(name))
      return { ok: false, what: 'flag', observed: `--${name} is given twice`, next: 'keep one of them' }
    seen.set(name, value)
  }
  return { ok: true, flags: Object.fromEntries(seen) }
}

function tooLong(length: number): Unreadable {
  const [had, most] = [length.toLocaleString('en-US'), LONGEST_PROMPT.toLocaleString('en-US')]
  return { ok: false, what: 'length', observed: `the prompt has ${had} characters`, next: `shorten it to ${most}` }
}

function tooMany(words: number): Unreadable {
  return { ok: false, what: 'length', observed: `${words} words were given`, next: `write at most ${MOST_WORDS}` }
}
