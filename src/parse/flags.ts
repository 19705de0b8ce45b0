import type { Flag } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import { nearest } from '../domain/nearest.ts'
import type { Word } from './words.ts'

/** A flag found in a line, and the word after it. */
export interface Found {
  readonly next: number
  readonly name: string
  readonly value: string
  /** why it cannot be used: what was seen, and what to write */
  readonly problem: FlagProblem | null
}

/** What a problem is about: the command's word, its verb, a flag, the value of one, a name, words, or the length. */
export type What = 'command' | 'verb' | 'flag' | 'value' | 'name' | 'words' | 'length'

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
  const read = meant.kind === 'switch' ? readSwitch(written, at) : readValue(written, words, at, meant)
  return known === undefined ? { ...read, problem: unknownFlag(written.name, flags) } : read
}

/** Whether a word is written like a flag, known or not. */
export function looksLikeFlag(word: Word): boolean {
  return !word.quoted && dashed(word.text) !== null
}

export function unknownFlag(name: string, flags: readonly Flag[]): FlagProblem {
  if (AD_HOC.includes(name))
    return { what: 'flag', observed: `--${name} goes only with --url in the terminal`, next: WITH_URL }
  const meant = close(name, flags)
  const all = flags.map((flag) => `--${flag.name}`).join(', ')
  const known = all === '' ? 'leave it out, this command has no flags' : `use one of ${all}`
  const next = meant === undefined ? known : `did you mean --${meant.name}?`
  return { what: 'flag', observed: `there is no flag --${excerpt(name, 40)}`, next }
}

/** The terminal itself takes them out of a command line that names a server by --url. */
const AD_HOC: readonly string[] = ['url', 'model', 'engine']
const WITH_URL = 'name a target of pilotflame.yml: --target NAME; in the terminal also a server: --url http://HOST:PORT'

/** The name in a word that looks like a flag. */
export function nameOf(word: Word): string {
  return dashed(word.text)?.name ?? word.text
}

const EDITS = 2

function close(name: string, flags: readonly Flag[]): Flag | undefined {
  const meant = nearest(
    name,
    flags.map((flag) => flag.name),
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
    next: `write --${name} ${flag.value}`,
  }
  return { next: at + 1, name, value: '', problem }
}
