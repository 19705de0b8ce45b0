import type { Command } from '../domain/command.ts'
import { nearest } from '../domain/nearest.ts'
import { capital } from '../domain/report.ts'
import { wrapped } from '../domain/wrap.ts'

/** One way to call the program that is no command of the chat. */
interface Usage {
  /** the words that call it; none: the program alone */
  readonly words: readonly string[]
  /** what follows them */
  readonly rest: string
  readonly does: string
  /** lines of its own help, below the first */
  readonly more?: readonly string[]
  /** for those that are commands of the chat as well, and are helped there */
  readonly chat?: boolean
}

const JSON_FLAG = '--json   one JSON document'

/** Written once: what `--help` prints, the help of each, and what a wrong use is told. */
const USAGES: readonly Usage[] = [
  { words: [], rest: '', does: 'serve: Slack where tokens are set, else the console on this machine' },
  {
    words: ['smoke'],
    rest: '"Say hello"',
    does: 'ask a model and judge its answer; which: --target NAME, or --url http://127.0.0.1:30000 [--model NAME]',
    chat: true,
  },
  {
    words: ['knowledge', 'check'],
    rest: '[MODEL]',
    does: 'what is known of a model on an engine; alone, of your servers',
    chat: true,
  },
  { words: ['doctor'], rest: '', does: 'check configuration, tokens, host keys, tunnels, engines', chat: true },
  {
    words: ['sglang', 'locks'],
    rest: '',
    does: 'what is locked; gpu locks says the same. While the bot runs, ask it itself',
    chat: true,
  },
  { words: ['audit'], rest: '', does: 'who asked for what. While the bot runs, ask it itself', chat: true },
  {
    words: ['diagnose'],
    rest: '< FILE',
    does: 'what a log, an answer, the output of nvidia-smi or a recorded failure means',
  },
  {
    words: ['access', 'code'],
    rest: '',
    does: 'a code by which somebody in Slack becomes the first admin',
    more: [JSON_FLAG, '', 'It is right for ten minutes, and makes one person admin while there is none.'],
  },
  {
    words: ['slack', 'check'],
    rest: '--channel ID',
    does: 'what this Slack takes: posts each kind of message in a channel',
    more: ['--channel ID, such as C0123456789', '         where it posts; the bot must be in it', JSON_FLAG],
  },
  {
    words: ['config', 'check'],
    rest: '',
    does: 'check pilotflame.yml and the environment',
    more: [JSON_FLAG, '', 'Every problem at once, each with its line and what to write.'],
  },
  { words: ['config', 'schema'], rest: '', does: 'the JSON Schema of pilotflame.yml, for editors' },
  {
    words: ['manifest'],
    rest: '',
    does: 'the Slack app for these settings: words, scopes, events',
    more: ['Prints YAML, to paste at https://api.slack.com/apps.'],
  },
  { words: ['help'], rest: '[COMMAND]', does: 'all commands, or one with its flags', chat: true },
  { words: ['--version'], rest: '', does: 'the version' },
]

/** Where the words about a call begin, and where a line ends, in columns: a terminal of 80 breaks none. */
const COLUMN = 37
const WIDTH = 80

const FOOT = `  --json prints one JSON document, except of --version, manifest and the server
  itself.
  Exit status: 0 healthy or done, 1 not fine, 2 wrong use, 3 could not tell,
  75 try again: another process holds the store or the port.`

/** What `pilotflame --help` prints. */
export function usage(): string {
  const lines = USAGES.flatMap(inColumns)
  return `pilotflame: proves that a model works, not that its server runs\n\n${lines.join('\n')}\n\n${FOOT}\n`
}

function inColumns(one: Usage): readonly string[] {
  return wrapped(one.does, WIDTH - COLUMN - 2).map(
    (line, at) => `  ${(at === 0 ? callOf(one) : '').padEnd(COLUMN)}${line}`,
  )
}

/** What `--help` prints behind words that are no command of the chat; null: they are one, or nothing asks for help. */
export function helpFor(words: readonly string[]): string | null {
  const asked = words.some((word) => word === '--help' || word === '-h')
  const [first, second] = words.filter((word) => !word.startsWith('-'))
  // diagnose has a longer one
  if (!asked || first === 'diagnose') return null
  const family = USAGES.filter((one) => one.chat !== true && one.words[0] === (first === 'start' ? undefined : first))
  const named = family.filter((one) => one.words[1] === second)
  const meant = named.length > 0 ? named : family
  // of `access` only the code is not a command of the chat
  if (meant.length === 0 || (first === 'access' && named.length === 0)) return null
  return first === undefined || first === 'start' ? usage() : `${meant.map(helpOf).join('\n\n')}\n`
}

/** `Usage: pilotflame config check | pilotflame config schema`, for a wrong use of the first word. */
export function usageOf(word: string): string {
  return `Usage: ${USAGES.filter(({ words: [first] }) => first === word)
    .map(callOf)
    .join(' | ')}`
}

/** A mistyped first word that means one of the program's own: `dignose`. Null where a command of the chat is as near. */
export function programWordMeant(word: string, commands: readonly Command[]): string | null {
  const own = USAGES.flatMap(({ words: [first], chat }) => (chat === true ? [] : (first?.replace(/^--/, '') ?? [])))
  // the first of two that are equally near counts
  const meant = nearest(word, [...commands.map((one) => one.word), 'help', ...own], 2)
  if (meant === null || meant === word || commands.some((one) => one.word === meant)) return null
  return own.includes(meant) ? meant : null
}

function helpOf(one: Usage): string {
  const { does, more = [] } = one
  return [`Usage: ${callOf(one)}`, '', `${capital(does)}.`, ...(more.length > 0 ? ['', ...more] : [])].join('\n')
}

function callOf({ words, rest }: Usage): string {
  return ['pilotflame', ...words, rest].filter((word) => word !== '').join(' ')
}
