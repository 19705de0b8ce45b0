import type { Code } from '../domain/code.ts'
import type { Finding } from '../domain/finding.ts'
import { quoted } from '../domain/remote/text.ts'
import type { Delivered, Sign } from './slack/signs.ts'
import { signsOf } from './slack/signs.ts'

/** A delivered line, and what became of it. */
export interface Line extends Delivered {
  /** `/gpu`, `the mention` */
  readonly thing: string
  /** what the bot says of it; null where it runs */
  readonly answer: string | null
  /** what stands where a name is wanted, and is none; null where nothing does */
  readonly stands: 'link' | 'mention' | null
  /** a reply in a thread that is not for the bot */
  readonly silent: boolean
  /** whether a version of the bot that this one is not runs the command */
  readonly later: boolean
}

/** What a line as Slack delivered it is, and what had been done to it. */
export function readLine(line: Line): Finding {
  const signs = signsOf(line)
  if (line.silent) return { ...READ, ...evidence(line, signs), code: 'ok.refrain', cause: `${line.thing}: ${TALK}.` }
  return line.error === null ? fine(line, signs) : asked(line, line.error, signs)
}

/** Every code that the reading of lines, posts and answers gives. */
export const SLACK_CODES: readonly Code[] = [
  'ok.literal-data',
  'ok.refrain',
  'ok.ran',
  'log.need-more',
  'slack.smart-quotes',
  'slack.em-dash',
  'slack.autolink',
  'slack.entities',
  'slack.code-fence',
  'slack.nbsp',
  'slack.zero-width',
  'slack.unicode',
  'slack.mention',
  'slack.empty',
  'slack.long',
  'slack.anchor-dropped',
  'slack.grammar',
  'slack.escape-out',
  'slack.block-limit',
  'slack.text-limit',
  'slack.blocks',
  'slack.access',
  'slack.rate-limit',
]

const TALK = 'people talk in a thread; it is no command and does not mention the bot'
const READ = { verdict: 'healthy', remedy: [], confidence: 'certain' } as const

function fine(line: Line, signs: readonly Sign[]): Finding {
  const [first] = signs
  if (first === undefined)
    return { ...READ, ...evidence(line, signs), code: 'ok.literal-data', cause: `${line.thing}: read as it was typed.` }
  return {
    ...evidence(line, signs),
    code: first.code,
    verdict: 'ok-normalized',
    cause: `${line.thing}: ${first.cause}.`,
    remedy: [first.code === 'slack.anchor-dropped' ? PASTE : NOTHING],
    confidence: 'certain',
  }
}

const NOTHING = 'Nothing needs to be done: the line was read as it was meant.'
const PASTE = 'Paste the address itself instead of a formatted link; what was dropped cannot be found again.'

/** It is no command: what stands where a name is wanted decides, else the product's own answer. */
function asked(line: Line, error: string, signs: readonly Sign[]): Finding {
  const codes: readonly Code[] = [...(line.stands === null ? [] : [STANDS[line.stands]]), ...(GUILTY[error] ?? [])]
  const guilty = signs.find(({ code }) => codes.includes(code))
  return {
    ...evidence(line, signs),
    code: guilty?.code ?? 'slack.grammar',
    verdict: 'needs-clarification',
    cause: `${line.thing}: ${(guilty && CAUSES[guilty.code]) ?? `it cannot be run (${error})`}.`,
    remedy: [nextOf(line.answer)],
    confidence: 'certain',
  }
}

const STANDS = { link: 'slack.autolink', mention: 'slack.mention' } as const satisfies Readonly<Record<string, Code>>

/** What can make a line unreadable, by what is wrong with it. */
const GUILTY: Readonly<Record<string, readonly Code[]>> = {
  'unknown host': ['slack.nbsp', 'slack.zero-width', 'slack.unicode'],
  'unexpected words': ['slack.autolink', 'slack.mention'],
  'unknown command': ['slack.zero-width', 'slack.unicode'],
  'unknown flag': ['slack.em-dash'],
  'too long': ['slack.long'],
}

const CAUSES: Readonly<Partial<Record<Code, string>>> = {
  'slack.autolink':
    'a link stands where a name is wanted; its label can hide where it leads, and names come from the configuration alone',
  'slack.mention': 'a mention of a person or channel stands where a name is wanted',
  'slack.long': 'the text is longer than what is read',
  'slack.em-dash': 'a long dash before a word is read as the two dashes of a flag, and there is no such flag',
  'slack.unicode': 'a sign beyond ASCII stands where a name is wanted',
}

function nextOf(answer: string | null): string {
  const next = answer?.split(' Next: ').at(-1)
  return next === undefined ? 'Ask what was meant.' : `${next.slice(0, 1).toUpperCase()}${next.slice(1)}`
}

function evidence({ text, surface, answer, later }: Line, signs: readonly Sign[]): Pick<Finding, 'because'> {
  return {
    because: [
      `${surface === 'slash' ? 'text of the command' : 'text of the event'}: ${text === '' ? 'empty' : quoted(text)}`,
      ...signs.map(({ code, seen }) => `${code}: ${seen}`),
      ...(answer === null ? [] : [`answered: ${quoted(answer)}`]),
      ...(later ? ['this version does not run the command yet; the line is read by its grammar'] : []),
    ],
  }
}
