import { z } from 'zod'
import { nearest } from '../domain/nearest.ts'
import { SLASH_LIMITS, SLASH_WORDS, wordNamed } from '../domain/slash.ts'
import type { Problem } from './problem.ts'
import { ALIAS_WORD } from './schema.ts'
import type { Blame } from './shape.ts'

/** Only the aliases, and read leniently: what else is wrong is told elsewhere. */
const Loose = z
  .object({ slack: z.object({ aliases: z.record(z.string(), z.unknown()).nullish() }).nullish() })
  .catch({ slack: null })

/** Aliases that mean nothing of ours, that are a word already, or that Slack does not take. */
export function checkWords(value: unknown, prefix: string, blame: Blame): readonly Problem[] {
  const aliases = Object.entries(Loose.parse(value).slack?.aliases ?? {})
  const most = SLASH_LIMITS.words - SLASH_WORDS.length
  return [
    ...(aliases.length > most ? [blame(PATH, `${aliases.length} aliases`, `keep at most ${most}: ${OF_SLACK}`)] : []),
    ...aliases.flatMap(([alias, meant]) => checkAlias(alias, meant, prefix, blame)),
  ]
}

const PATH = ['slack', 'aliases']
const OF_SLACK = `Slack takes ${SLASH_LIMITS.words} slash commands of one app`

function checkAlias(alias: string, meant: unknown, prefix: string, blame: Blame): readonly Problem[] {
  const path = [...PATH, alias]
  if (!ALIAS_WORD.test(alias)) return [blame(path, `the word "${alias.slice(0, 80)}"`, A_WORD)]
  const word = typeof meant === 'string' ? wordNamed(meant) : undefined
  // what is no word at all is a matter of the shape
  if (typeof meant === 'string' && ALIAS_WORD.test(meant) && word === undefined) {
    const next = `name one of ${SLASH_WORDS.join(', ')}`
    return [blame(path, `the unknown word "${meant}"`, next, nearest(meant, SLASH_WORDS, 3))]
  }
  return taken(alias, word, prefix).map((found) => blame(path, found, TAKE_ANOTHER))
}

const A_WORD = `use a small letter, then small letters, digits, - and _, at most ${SLASH_LIMITS.word} in all`
const TAKE_ANOTHER = 'take another word, or leave the alias out'

/** `smoke: sglang` would make one of our words mean another; behind a prefix `smoke: smoke` gives it back. */
function taken(alias: string, word: string | undefined, prefix: string): readonly string[] {
  if (SLACKS_OWN.has(alias))
    return [`"${alias}", and /${alias} is a command of Slack itself, so it would never come here`]
  const own = SLASH_WORDS.find((one) => alias === `${prefix}${one}`)
  if (own !== undefined) return [`"${alias}", which is the bot’s own word for ${own} already`]
  const named = wordNamed(alias)
  if (named === undefined && COMMAND_WORDS.has(alias)) return [`"${alias}", which is a command of the bot already`]
  return named !== undefined && word !== undefined && named !== word
    ? [`"${alias}", which is the name of a command`]
    : []
}

/** The first words of our other commands: `pilotflame help` must not become `pilotflame smoke`. test/config/words.test.ts holds them against the list. */
const COMMAND_WORDS: ReadonlySet<string> = new Set([
  ...['access', 'audit', 'doctor', 'help', 'knowledge', 'more', 'raw', 'retry', 'stop', 'whoami'],
])

/** Commands that Slack answers itself (https://slack.com/help/articles/201259356, seen in 2026), and an app cannot take over. */
const SLACKS_OWN: ReadonlySet<string> = new Set([
  ...['active', 'apps', 'archive', 'away', 'call', 'collapse', 'dm', 'dnd', 'expand', 'feed', 'feedback', 'huddle'],
  ...['invite', 'join', 'kick', 'leave', 'me', 'msg', 'mute', 'open', 'part', 'people', 'prefs', 'pro', 'remind'],
  ...['remove', 'rename', 'search', 'shortcuts', 'shrug', 'star', 'status', 'topic', 'unarchive', 'who'],
])
