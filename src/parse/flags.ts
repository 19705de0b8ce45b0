import type { Flag } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import { nearest } from '../domain/nearest.ts'
import type { Between, Stranger } from './names.ts'
import { ECHOED, namesAt, STRANGERS, strangerBeside, strangerIn } from './names.ts'
import type { Word } from './words.ts'

/** A flag found in a line, and the word after it. */
export interface Found {
  readonly next: number
  readonly name: string
  readonly value: string
  /** why it cannot be used: what was seen, and what to write */
  readonly problem: FlagProblem | null
}

/**
 * What a problem is about: the command's word, its verb, a flag, the value of one, a name, what stands in the place of
 * one, words, or the length.
 */
export type What = 'command' | 'verb' | 'flag' | 'value' | 'name' | Stranger | 'words' | 'length'

export interface FlagProblem {
  readonly what: What
  readonly observed: string
  readonly next: string
}

/** A flag as written: `--name`, `—name` (clients join dashes), `--name=value`, `name=value`. */
interface Written {
  readonly name: string
  readonly value: string | null
}

/** Reads the flag that begins at a word; null where none begins there. Dashed near-misses are flags with a problem. */
export function flagAt(words: readonly Word[], at: number, flags: readonly Flag[]): Found | null {
  const word = words[at]
  if (word === undefined || word.quoted) return null
  const written = dashed(word.text) ?? named(word.text, flags)
  if (written === null) return null
  const known = flags.find((flag) => flag.name === written.name)
  const meant = known ?? close(written.name, flags)
  if (meant === undefined) return null
  const read = readAs(meant, written, words, at)
  return known === undefined ? { ...read, problem: unknownFlag(written.name, flags) } : read
}

/** A list of names without dashes, `on qwen, llama`, that begins at a word; null where none does. */
export function listAt(words: readonly Word[], at: number, flags: readonly Flag[], between: Between): Found | null {
  const word = words[at]
  if (word === undefined || word.quoted) return null
  const flag = flags.find((one) => one.kind === 'names' && one.name === word.text.toLowerCase())
  const names = flag === undefined ? null : namesAt(words, at + 1, between)
  if (flag === undefined || names === null) return null
  const problem = strangersIn(
    flag,
    names.value,
    `write ${flag.name} NAME, NAME; all of it in quotes where it is the prompt`,
  )
  return { ...names, name: flag.name, problem }
}

/** Whether a word is written like a flag, known or not. */
export function looksLikeFlag(word: Word): boolean {
  return !word.quoted && dashed(word.text) !== null
}

/** `inTerminal`: a shell has split the line, so that the terminal's own flags may have been meant as well. */
export function unknownFlag(name: string, flags: readonly Flag[], inTerminal = false): FlagProblem {
  if (AD_HOC.includes(name))
    return { what: 'flag', observed: `--${name} goes only with --url in the terminal`, next: WITH_URL }
  const meant = close(name, flags)?.name ?? (inTerminal ? nearest(name, TERMINAL, slips(name)) : null)
  const all = flags.map((flag) => `--${flag.name}`).join(', ')
  const known = all === '' ? 'leave it out, this command has no flags' : `use one of ${all}`
  const next = meant === null ? known : `did you mean --${meant}?`
  return { what: 'flag', observed: `there is no flag --${excerpt(name, 40)}`, next }
}

/** The terminal itself takes them out of a command line that names a server by --url. */
const AD_HOC: readonly string[] = ['url', 'model', 'engine']
const TERMINAL: readonly string[] = [...AD_HOC, 'json', 'full']
const WITH_URL = 'name a target of pilotflame.yml: --target NAME; in the terminal also a server: --url http://HOST:PORT'

/** The name in a word that looks like a flag. */
export function nameOf(word: Word): string {
  return dashed(word.text)?.name ?? word.text
}

const EDITS = 2

/** Half of a short name is no slip of the finger. */
function slips(name: string): number {
  return name.length > 4 ? EDITS : 1
}

/** Names so short that these edits make anything of them are meant only where they are written. */
function close(name: string, flags: readonly Flag[]): Flag | undefined {
  const long = flags.filter((flag) => flag.name.length > EDITS)
  const meant = nearest(
    name,
    long.map((flag) => flag.name),
    EDITS,
  )
  return flags.find((flag) => flag.name === meant)
}

function dashed(text: string): Written | null {
  const seen = /^(?:--|[—–])([A-Za-z][\w-]*)(?:=([\s\S]*))?$/.exec(text)
  return seen === null ? null : { name: kebab(seen[1] ?? ''), value: seen[2] ?? null }
}

function named(text: string, flags: readonly Flag[]): Written | null {
  const seen = /^([A-Za-z][\w-]*)=([\s\S]*)$/.exec(text)
  const name = kebab(seen?.[1] ?? '')
  return flags.some((flag) => flag.name === name) ? { name, value: seen?.[2] ?? '' } : null
}

function kebab(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}

function readAs(flag: Flag, written: Written, words: readonly Word[], at: number): Found {
  switch (flag.kind) {
    case 'switch':
      return readSwitch(written, at)
    case 'names':
      return readNames(written, words, at, flag)
    case 'name':
    case 'person':
    case 'channel':
      return readName(readValue(written, words, at, flag), flag, flag.kind)
    case 'text':
    case 'number':
      return readValue(written, words, at, flag)
  }
}

function readName(found: Found, flag: Flag, wanted: 'name' | 'person' | 'channel'): Found {
  const stranger = strangerBeside(wanted, found.value)
  if (found.problem !== null || stranger === null) return found
  return { ...found, problem: strange(flag, stranger, found.value, `write ${EXAMPLES[wanted]}: ${usageOf(flag)}`) }
}

const EXAMPLES = {
  name: 'the name itself',
  person: 'the member id, such as U0123ABCD',
  channel: 'the channel’s id, such as C0123ABCD',
} as const

function strangersIn(flag: Flag, names: string, next: string): FlagProblem | null {
  const odd = names.split(',').find((name) => strangerIn(name) !== null)
  const stranger = odd === undefined ? null : strangerIn(odd)
  return odd === undefined || stranger === null ? null : strange(flag, stranger, odd, next)
}

function strange({ name }: Flag, stranger: Stranger, said: string, next: string): FlagProblem {
  return { what: stranger, observed: `--${name}: “${excerpt(said, ECHOED)}” is ${STRANGERS[stranger]}`, next }
}

function usageOf({ name, value }: Flag): string {
  return `--${name} ${value}`
}

/** Names that one list may have. */
const MOST_NAMES = 200

/** `--on qwen, llama` and `--on=qwen,llama`: names go on behind a comma only, or the prompt would be one. */
function readNames({ name, value }: Written, words: readonly Word[], at: number, flag: Flag): Found {
  const own = words[at]
  const first = value === null || value === '' || own === undefined ? [] : [{ ...own, text: value }]
  const names = namesAt([...first, ...words.slice(at + 1, at + MOST_NAMES)], 0, 'commas')
  const wanted = `write ${usageOf(flag)}, with commas between names`
  if (names !== null) {
    const problem = strangersIn(flag, names.value, wanted)
    return { name, value: names.value, next: at + 1 - first.length + names.next, problem }
  }
  const problem: FlagProblem = { what: 'name', observed: `--${name} has no names`, next: wanted }
  const following = words[at + 1]
  const given = first.length > 0 || following === undefined || looksLikeFlag(following) ? 0 : 1
  return { next: at + 1 + given, name, value: '', problem }
}

function readSwitch({ name, value }: Written, at: number): Found {
  const fine = value === null || /^(?:true|on|yes)$/i.test(value)
  const problem: FlagProblem | null = fine
    ? null
    : {
        what: 'value',
        observed: `--${name} is a switch and takes no value`,
        next: `write --${name} alone, or leave it out`,
      }
  return { next: at + 1, name, value: 'true', problem }
}

function readValue({ name, value }: Written, words: readonly Word[], at: number, flag: Flag): Found {
  if (value !== null && value !== '') return { next: at + 1, name, value, problem: null }
  const following = words[at + 1]
  if (value === null && following !== undefined && !looksLikeFlag(following) && following.text !== '') {
    return { next: at + 2, name, value: following.text, problem: null }
  }
  const problem: FlagProblem = {
    what: 'value',
    observed: `--${name} has no value`,
    next: `write ${usageOf(flag)}`,
  }
  return { next: at + 1, name, value: '', problem }
}
