import type { Command, RawArgs } from '../domain/command.ts'
import { readArguments } from './arguments.ts'
import { QUOTES, wordsOf } from './words.ts'

/** The line that means this call again, for buttons: parsing it gives back the same arguments. */
export function lineOf(command: Command, { prompt, words, flags }: RawArgs): string {
  const given = Object.entries(flags).map(([name, value]) => flagText(command, name, value))
  const head = [command.word, ...(command.verb === null ? [] : [command.verb])]
  return [...head, ...words, ...(prompt === null ? [] : [promptText(command, prompt, given)]), ...given].join(' ')
}

/** The prompt in the first quotes that its own text does not break; as it is where it breaks them all. */
function promptText(command: Command, prompt: string, given: readonly string[]): string {
  const ways = Object.entries(QUOTES).map(([open, close]) => `${open}${prompt}${close.slice(0, 1)}`)
  return ways.find((way) => meansPrompt([way, ...given].join(' '), prompt, command)) ?? prompt
}

function meansPrompt(line: string, prompt: string, command: Command): boolean {
  const read = readArguments({ line, words: wordsOf(line), split: false }, command)
  return read.ok && !read.loose && read.raw.prompt === prompt
}

function flagText(command: Command, name: string, value: string): string {
  if (command.flags.find((flag) => flag.name === name)?.kind === 'switch') return `--${name}`
  return /^[^\s"—–-][^\s"]*$/.test(value) ? `--${name} ${value}` : `--${name} "${value}"`
}
