import type { Command } from '../domain/command.ts'
import { nearest } from '../domain/nearest.ts'

/** Commands that a sentence names. */
const NAMED = 3

/** What a first word that is no command may have meant: a command, or a verb of one: `sglang lock or gpu lock`. */
export function wordsMeant(head: string, commands: readonly Command[]): string | null {
  const fit = fitting(head, commands)
  const word = nearest(
    head,
    fit.map((one) => one.word),
    2,
  )
  const verb = verbMeant(head, fit)
  // a verb as it stands was meant rather than a word that is only like it
  if (word !== null && verb !== head.toLowerCase()) return word
  const named = fit.filter((one) => one.verb === verb).map((one) => `${one.word} ${one.verb}`)
  return verb === null ? null : named.slice(0, NAMED).join(' or ')
}

/** The verb of a family that was probably meant. */
export function verbMeant(word: string, family: readonly Command[]): string | null {
  const verbs = fitting(word, family).flatMap((one) => one.verb ?? [])
  // half of a short word is no slip of the finger
  return nearest(word, verbs, word.length > 3 ? 2 : 1)
}

/** Whoever wants to look is never led to what changes something, nor to anything else that is only spelt like it. */
function fitting(word: string, commands: readonly Command[]): readonly Command[] {
  const said = word.toLowerCase()
  if (!LOOKING.has(said)) return commands
  return commands.filter(({ word: first, verb }) => first === said || (verb !== null && LOOKING.has(verb)))
}

/** Words by which people ask to see something. */
const LOOKING: ReadonlySet<string> = new Set([
  ...['log', 'logs', 'tail', 'status', 'state', 'stat', 'stats', 'show', 'list', 'ls', 'get', 'info', 'describe'],
  ...['version', 'versions', 'config', 'load', 'top', 'ps', 'who', 'history', 'health', 'metrics', 'models', 'check'],
])
